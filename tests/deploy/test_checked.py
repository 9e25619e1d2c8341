"""Every file of deploy/ passes the checker of its kind; the Dockerfile's steps are replayed without an engine."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.browser import nginx
from tests.browser.serving import ROOT, free_port, serving

DEPLOY = ROOT / "deploy"
TOOLS = Path(sys.executable).parent
UNITS = sorted(DEPLOY.glob("*.service"))
MOST_EXPOSED = "20"  # of 100, as systemd counts what a service might still do


def passes(*command: str | Path) -> None:
    """Run a checker; what it complains about fails the test."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_scripts() -> None:
    passes(TOOLS / "shellcheck", *DEPLOY.glob("*.sh"))


def test_the_dockerfile() -> None:
    passes(TOOLS / "hadolint", DEPLOY / "Dockerfile")


def test_the_compose_file() -> None:
    passes(TOOLS / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", DEPLOY / "compose.yaml")


def test_the_manifests_of_kubernetes() -> None:
    passes(TOOLS / "kubernetes-validate", "--strict", DEPLOY / "kubernetes.yaml")
    found = {each["kind"]: each for each in yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text())}
    (container,) = found["Deployment"]["spec"]["template"]["spec"]["containers"]
    assert container["readinessProbe"]["httpGet"]["path"] == "/readyz"
    assert container["resources"]["limits"]["memory"]
    assert found["HorizontalPodAutoscaler"]["spec"]["metrics"][0]["resource"]["name"] == "cpu"
    assert found["Ingress"]["metadata"]["annotations"]["nginx.ingress.kubernetes.io/affinity"] == "cookie"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd-analyze here")
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_the_units_of_systemd(unit: Path, tmp_path: Path) -> None:
    here = tmp_path / unit.name
    text = unit.read_text().replace("/opt/attention-lab/.venv/bin/python", sys.executable)
    here.write_text(text.replace("/opt/attention-lab", str(ROOT)).replace("/usr/sbin/nginx", "/bin/true"))
    passes("systemd-analyze", "verify", here)
    passes("systemd-analyze", "security", "--offline=yes", f"--threshold={MOST_EXPOSED}", here)
    assert {"Restart=always", "DynamicUser=yes", "NoNewPrivileges=yes"} <= set(text.splitlines())
    assert re.search(r"^MemoryMax=\d", text, re.MULTILINE)


@pytest.mark.skipif(nginx.find() is None or shutil.which("openssl") is None, reason="no nginx or openssl here")
def test_nginx_with_tls(tmp_path: Path) -> None:
    for file in DEPLOY.glob("*.conf"):
        text = file.read_text().replace("# include tls.conf", "include tls.conf")
        (tmp_path / file.name).write_text(text.replace("/etc/ssl/lab.example", str(tmp_path)))
    key, certificate = tmp_path / "privkey.pem", tmp_path / "fullchain.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=lab.example", "-days", "1"]
    passes(*made, "-keyout", key, "-out", certificate)
    assert "include tls.conf" in (tmp_path / "nginx.conf").read_text()
    passes(nginx.find() or "", "-t", "-e", "stderr", "-p", tmp_path, "-c", tmp_path / "nginx.conf")


# The Dockerfile, replayed: what it copies is enough to serve, and its check of health says so.


def steps() -> list[tuple[str, str]]:
    """Every instruction with what follows it."""
    lines = (DEPLOY / "Dockerfile").read_text().splitlines()
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines) if word and word != "#"]


def copy(folder: Path, sources: list[str], target: str) -> None:
    for source in sources:
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, folder / target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / source, folder / target)


def test_what_the_dockerfile_copies_is_enough_to_serve(tmp_path: Path) -> None:
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    for word, rest in steps():
        if word == "COPY":
            *sources, target = rest.split()
            assert set(sources) <= allowed, "the build would not find it"
            copy(tmp_path, sources, target)
    done = dict(steps())
    assert done["USER"] == "10001:10001", "not root"
    health = json.loads(done["HEALTHCHECK"].partition("CMD ")[2])
    port = str(free_port())
    command, check = (
        [sys.executable, *(port if word == "8501" else word for word in words[1:])]
        for words in (json.loads(done["CMD"]), health)
    )
    inside = ["env", "-C", str(tmp_path), "PYTHONPATH=", "PYTHONDONTWRITEBYTECODE=1"]
    assert subprocess.run([*inside, *check], check=False).returncode == 1, "nobody is there yet"
    with serving([*inside, *command], int(port), ready="/readyz") as started:
        assert subprocess.run([*inside, *check], check=False).returncode == 0
        assert f":{port}" in started.printed.read_text()
        modules = subprocess.run(
            [*inside, sys.executable, "-c", "import attention_ui; print(attention_ui.__file__)"],
            capture_output=True,
            text=True,
            check=True,
        )
    assert modules.stdout.startswith(str(tmp_path)), "it ran the copies, not the originals"
