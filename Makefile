# Needs Python 3.11 or newer and nothing else; `make` alone lists what there is.

PYTHON ?= python3
PORT ?= 8501
# Not from the environment: some shells export HOST, and serving a whole network must be asked for.
HOST := 127.0.0.1
VENV := .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run test lint format bench load chromium clean

help:  ## list these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

run: $(VENV)/installed  ## serve on http://localhost:8501 (PORT=8502 moves it, HOST=0.0.0.0 opens it to a classroom)
	@$(BIN)/python -m attention_ui.server.launch --host $(HOST) --port $(PORT)

# Where a shell asks for no bytecode, every process would compile our sources and pytest's plugins again.
test: export PYTHONDONTWRITEBYTECODE :=
test: $(VENV)/installed-test chromium lint  ## every check: ruff, mypy, pytest, and Chromium for the pages
	$(BIN)/python -m pytest --numprocesses 2 tests --ignore tests/browser
	$(BIN)/python -m pytest --numprocesses 2 --dist worksteal tests/browser

lint: $(VENV)/installed-test  ## ruff, mypy, oxlint, the shape of scripts, and who may import whom
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy
	$(BIN)/oxlint attention_ui
	$(BIN)/deno fmt --check
	$(BIN)/lint-imports --no-logo --no-cache

format: $(VENV)/installed-test  ## put the code into shape
	$(BIN)/python -m ruff check --fix .
	$(BIN)/python -m ruff format .
	$(BIN)/deno fmt

bench: $(VENV)/installed-test  ## measure us against our peers
	$(BIN)/python -m benchmarks

load: $(VENV)/installed-test  ## a class of simulated visitors on this machine, and what they wait
	$(BIN)/python -m benchmarks.load

clean:  ## remove the virtual environment and every cache
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

chromium: $(VENV)/installed-test
	@$(BIN)/python tests/browser/chromium.py
	@$(BIN)/python tests/browser/nginx.py

# The stamps make a second start quick: pip runs again only after pyproject.toml has changed,
# or when the Python behind the virtual environment has gone with an upgrade.
$(shell test -x $(BIN)/python || rm -f $(VENV)/installed $(VENV)/installed-test)

$(VENV)/installed: pyproject.toml $(BIN)/python
	@echo "Installing Attention Lab into $(VENV); the first time takes a minute or two ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

# Tests run with the versions that constraints.txt names, whatever was released since; pip refuses its hashes here.
$(VENV)/installed-test: pyproject.toml constraints.txt $(BIN)/python
	@echo "Installing Attention Lab and its test tools into $(VENV); the first time takes a minute or two ..."
	@sed 's/[+ ].*//' constraints.txt > $(VENV)/versions.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]' --constraint $(VENV)/versions.txt
	@touch $(VENV)/installed $@

$(BIN)/python:
	@echo "Creating $(VENV) ..."
	@$(PYTHON) -m venv --clear $(VENV)
