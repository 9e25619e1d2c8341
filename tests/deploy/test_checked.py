"""Every file of deploy/ passes the checker of its kind; what the Dockerfile copies and runs is replayed."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.browser import nginx
from tests.browser.serving import ROOT, free_port, serving
from tests.browser.test_leaving import family

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


def test_the_pinned_packages_need_no_others_and_are_those_that_were_tested() -> None:
    (pinned,) = [rest for word, rest in steps() if word == "RUN" and "constraints.txt" in rest]
    assert pinned == "pip install --require-hashes --no-deps --requirement constraints.txt"
    lines = [line.split()[0] for line in (ROOT / "constraints.txt").read_text().splitlines() if line[0] != "#"]
    versions = {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in lines)}
    for name, pin in versions.items():
        package = distribution(name)
        assert package.version == pin, f"{name}: not what is tested here"
        for needed in map(Requirement, package.requires or []):
            if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                assert needed.specifier.contains(versions[canonicalize_name(needed.name)]), f"{name} needs {needed}"


@pytest.fixture
def image() -> Iterator[Path]:
    """A folder that anybody may read, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def as_user(user: str) -> list[str]:
    """What runs a command as this user, or as root without its rights where such a user may not run this Python."""
    if os.geteuid():
        return []  # we have none
    if shutil.which("setpriv") is None:
        words = "NOT RUN WITHOUT THE RIGHTS OF ROOT: install the package util-linux."
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(words)
    without = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"]
    change = [*without, f"--reuid={user}", f"--regid={user}", "--clear-groups"]
    may = subprocess.run([*change, "env", sys.executable, "-c", ""], capture_output=True, check=False).returncode == 0
    return change if may else without


def test_what_the_dockerfile_copies_is_enough_to_serve(image: Path) -> None:
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    for word, rest in steps():
        if word == "COPY":
            *sources, target = rest.split()
            assert set(sources) <= allowed, "the build would not find it"
            copy(image, sources, target)
    done = dict(steps())
    assert done["USER"] == "10001:10001", "not root"
    for path in (image, *image.rglob("*")):
        path.chmod(path.stat().st_mode & 0o555)
    user = as_user(done["USER"].partition(":")[0])
    health = json.loads(done["HEALTHCHECK"].partition("CMD ")[2])
    port = str(free_port())
    command, check = (
        [sys.executable, *(port if word == "8501" else word for word in words[1:])]
        for words in (json.loads(done["CMD"]), health)
    )
    inside = [*user, "env", "-C", str(image), "PYTHONPATH=", "PYTHONDONTWRITEBYTECODE=1"]
    assert subprocess.run([*inside, *check], check=False).returncode == 1, "nobody is there yet"
    written = subprocess.run([*inside, "touch", "new"], capture_output=True, check=False)
    assert written.returncode, "the folder cannot be written"
    with serving([*inside, *command], int(port), ready="/readyz") as started:
        assert subprocess.run([*inside, *check], check=False).returncode == 0
        assert f":{port}" in started.printed.read_text()
        for pid in family(started.process.pid):
            assert re.search(r"^CapEff:\s+0+$", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE), (
                "it has no rights"
            )
        modules = subprocess.run(
            [*inside, sys.executable, "-c", "import attention_ui; print(attention_ui.__file__)"],
            capture_output=True,
            text=True,
            check=True,
        )
    assert modules.stdout.startswith(str(image)), "it ran the copies, not the originals"
