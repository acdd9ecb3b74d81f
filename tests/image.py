"""Image: the steps of `deploy/Dockerfile`, and whether the site in it answers. `make image` runs it.

Buildah builds and runs it, which needs no root, where it is installed and has the base image or can fetch it. Otherwise
the steps run as they are written in a clean chroot that debootstrap makes, as root. It takes minutes, downloads all
packages, and is no part of the tests.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path

import pytest
import yaml

from cardsite.server import valkey
from tests.ports import free_port
from tests.waiting import wait_until

ROOT = Path(__file__).parents[1]
DOCKERFILE = ROOT / "deploy" / "Dockerfile"
IGNORED = (ROOT / "deploy" / "Dockerfile.dockerignore").read_text().split()
SERVICES = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())["services"]
PREPARE, [_, *HEALTH] = SERVICES["prepare"]["command"], SERVICES["web"]["healthcheck"]["test"]
PORT = 8000
BASES = {"python:3.11-slim": "bookworm"}  # base images, and a Debian that has the same Python
BASE_PACKAGES = "ca-certificates,python3,python3-pip,python3-venv"
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
OF_THIS_MACHINE = ("/etc/hosts", "/etc/resolv.conf", CERTIFICATES)
FOR_PIP = ("PIP_INDEX_URL", "PIP_CERT", "http_proxy", "https_proxy", "no_proxy")


def steps() -> Iterator[tuple[str, str]]:
    """Instructions of the file with what follows them."""
    text = re.sub(r"^\s*#.*\n", "", DOCKERFILE.read_text(), flags=re.MULTILINE).replace("\\\n", "")
    for line in filter(None, text.splitlines()):
        word, _, rest = line.partition(" ")
        yield word, rest.strip()


class Chroot:
    """Carries out the instructions of a Dockerfile in a folder. Its mounts end with the processes that see them."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.place, self.user, self.command = folder, "/", "root", [""]
        self.env = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}

    def build(self) -> None:
        for word, rest in steps():
            print(f"{word} {rest}", flush=True)
            getattr(self, f"do_{word.lower()}")(rest)

    def do_from(self, image: str) -> None:
        base = ["--variant=minbase", f"--include={BASE_PACKAGES}", BASES[image], str(self.folder)]
        subprocess.run(["debootstrap", *base], check=True, stdout=subprocess.DEVNULL)
        for path in OF_THIS_MACHINE:
            shutil.copyfile(path, f"{self.folder}{path}")
        version = image.partition(":")[2].partition("-")[0]
        told = subprocess.check_output(self.inside(["python3", "--version"]), text=True)
        assert told.startswith(f"Python {version}."), told

    def do_workdir(self, place: str) -> None:
        self.place = place
        Path(f"{self.folder}{place}").mkdir(parents=True, exist_ok=True)

    def do_copy(self, names: str) -> None:
        *sources, target = names.split()
        into = Path(f"{self.folder}{os.path.join(self.place, target)}")
        for source in sources:
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, into / source, ignore=ignored, dirs_exist_ok=True)
            else:
                shutil.copy(ROOT / source, into)

    def do_env(self, rest: str) -> None:
        for pair in shlex.split(rest):
            name, _, value = pair.partition("=")
            self.env[name] = re.sub(r"\$(\w+)", lambda found: self.env[found[1]], value)

    def do_user(self, user: str) -> None:
        self.user = user

    def do_run(self, rest: str) -> None:
        own = {name: os.environ[name] for name in FOR_PIP if name in os.environ}
        subprocess.run(self.inside(["/bin/sh", "-c", rest], **own), check=True)

    def do_expose(self, rest: str) -> None:
        assert rest == str(PORT)

    def do_cmd(self, rest: str) -> None:
        self.command = json.loads(rest)

    def inside(self, command: Sequence[str], **env: str) -> list[str]:
        """The same command in the chroot, with the environment and user of the image."""
        variables = [f"{name}={value}" for name, value in (self.env | env).items()]
        entered = f'mount --rbind /dev "$0/dev" && cd / && exec chroot --userspec={self.user} "$0" "$@"'
        moved = ["/usr/bin/env", "--ignore-environment", f"--chdir={self.place}", *variables, *command]
        return ["unshare", "--mount", "--propagation=private", "sh", "-c", entered, str(self.folder), *moved]


def ignored(folder: str, names: list[str]) -> set[str]:
    """What the build leaves out of this folder."""
    rules = [rule for rule in IGNORED if rule.startswith("**/") or Path(folder) == ROOT]
    return {name for name in names for rule in rules if fnmatch(name, rule.removeprefix("**/"))}


class Buildah:
    """Builds the image and has a container of it."""

    OPTIONS = ("--isolation=chroot",)

    def __init__(self) -> None:
        self.container = ""

    def build(self) -> None:
        tag = "localhost/cardsite-test"
        subprocess.run(["buildah", "build", *self.OPTIONS, f"--file={DOCKERFILE}", f"--tag={tag}", ROOT], check=True)
        self.container = subprocess.check_output(["buildah", "from", tag], text=True).strip()

    @property
    def command(self) -> list[str]:
        read = ["buildah", "inspect", "--format={{json .OCIv1.Config.Cmd}}", self.container]
        return list(json.loads(subprocess.check_output(read, text=True)))

    def inside(self, command: Sequence[str], **env: str) -> list[str]:
        variables = [f"--env={name}={value}" for name, value in env.items()]
        return ["buildah", "run", *self.OPTIONS, *variables, self.container, "--", *command]


def has_base_image() -> bool:
    """Whether buildah is there, and has the base image or can fetch it."""
    if shutil.which("buildah") is None:
        return False
    image = next(rest for word, rest in steps() if word == "FROM")
    pull = ["buildah", "pull", "--quiet", "--policy=missing", f"docker.io/library/{image}"]
    return subprocess.run(pull).returncode == 0


@pytest.fixture
def image(tmp_path: Path) -> Iterator[Buildah | Chroot]:
    if has_base_image():
        built = Buildah()
        built.build()
        yield built
        subprocess.run(["buildah", "rm", built.container], check=True)
        return
    if os.getuid() != 0 or not all(map(shutil.which, ("debootstrap", "unshare"))):
        pytest.skip("There is neither buildah with the base image nor, for root, debootstrap; the image was not built.")
    chroot = Chroot(tmp_path / "image")
    try:
        chroot.build()
        yield chroot
    finally:
        shutil.rmtree(chroot.folder, ignore_errors=True)


@contextmanager
def process(command: Sequence[object]) -> Iterator[subprocess.Popen[bytes]]:
    started = subprocess.Popen(list(map(str, command)))
    try:
        yield started
    finally:
        started.terminate()
        started.wait(60)


def answer(url: str) -> int:
    """The status; 0 if there is no server yet."""
    try:
        with urllib.request.urlopen(url, timeout=60) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


def test_the_image_is_built_and_its_site_is_well(image: Buildah | Chroot) -> None:
    """With SQLite in the container, and Valkey beside it; the commands are those of compose.yaml."""
    port, redis_port = str(free_port()), str(free_port())
    env = {"REDIS_URL": f"redis://127.0.0.1:{redis_port}", "SECRET_KEY": "s" * 50}
    start, health = ([part.replace(str(PORT), port) for part in command] for command in (image.command, HEALTH))
    with process([valkey.find_server(), "--bind", "127.0.0.1", "--port", redis_port, "--save", ""]):
        subprocess.run(image.inside(PREPARE, **env), check=True)
        with process(image.inside(start, **env)) as server:
            url = f"http://127.0.0.1:{port}/healthz"
            wait_until(lambda: server.poll() is not None or answer(url) == 200, "the site in the image")
            subprocess.run(image.inside(health, **env), check=True)
            assert answer(f"http://127.0.0.1:{port}/learn/") == 200
