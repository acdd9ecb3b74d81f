"""What a server is told to do: HSTS, and the files in `deploy/`."""

import json
import os
import re
import shutil
import subprocess
import sys
from configparser import ConfigParser
from itertools import count
from pathlib import Path

import pytest
import yaml
from django.urls import reverse

from cardsite.server import web
from games.live import presence
from games.models.table import CODE_LETTERS
from tests import nginx
from tournaments.forms.events import LONGEST_EVENT_FILE

ROOT = Path(__file__).parents[2]
UNITS = sorted((ROOT / "deploy" / "systemd").glob("*.service"))
ASK = """
import django
django.setup()
from django.test import Client
print(Client().get("/favicon.ico", secure=True, headers={"host": "cards.example"})["Strict-Transport-Security"])
"""


def with_tls(*command: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the environment of a site behind a proxy that speaks TLS."""
    key = "a long key that nobody guesses: 0123456789 abcdefghijklmnopqrstuvwxyz"
    plain = {"HTTPS": "1", "ALLOWED_HOSTS": "cards.example", "SECRET_KEY": key, "DJANGO_ALLOW_ASYNC_UNSAFE": ""}
    plain["FORWARDED_ALLOW_IPS"] = "127.0.0.1"
    return subprocess.run(
        [sys.executable, *command], env=os.environ | plain | env, cwd=ROOT, capture_output=True, text=True
    )


@pytest.mark.parametrize(
    ("env", "header"),
    [
        ({}, "max-age=31536000"),
        ({"HSTS_PRELOAD": "1"}, "max-age=31536000; includeSubDomains; preload"),
    ],
)
def test_hsts_binds_other_sites_of_the_owner_only_on_request(env: dict[str, str], header: str) -> None:
    assert with_tls("-c", ASK, **env).stdout == f"{header}\n"
    checked = with_tls("manage.py", "check", "--deploy", "--fail-level=WARNING", **env)
    assert checked.returncode == 0, checked.stderr


def test_preload_without_tls_is_refused_in_one_sentence() -> None:
    done = with_tls("manage.py", "check", HTTPS="0", HSTS_PRELOAD="1")
    assert (done.returncode, done.stderr) == (1, "HSTS_PRELOAD=1 needs HTTPS=1.\n")


def unit(path: Path) -> dict[str, str]:
    """The [Service] section of a unit; of lines with the same name the last."""
    parser = ConfigParser(strict=False, interpolation=None, delimiters=("=",))
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(path)
    return dict(parser["Service"])


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_unit_has_room_for_streams_and_keeps_its_files_to_itself(path: Path) -> None:
    service = unit(path)
    assert int(service["LimitNOFILE"]) >= 65_536
    assert (service["UMask"], service["StateDirectoryMode"]) == ("0077", "0700")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed, so no unit was verified")
def test_systemd_understands_the_units(tmp_path: Path) -> None:
    for path in UNITS:
        # The programs of this environment, since systemd looks whether they exist.
        text = path.read_text().replace("/srv/cardsite/.venv/bin", str(Path(sys.executable).parent))
        (tmp_path / path.name).write_text(text)
    names = ["cardsite-web@8000.service", "cardsite-worker@default.service", "cardsite-beat.service"]
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *names],
        env=os.environ | {"SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert [line for line in done.stderr.splitlines() if "cardsite" in line] == []
    assert done.returncode == 0, done.stderr


def test_image_and_unit_start_the_web_server_as_up_does() -> None:
    dockerfile = (ROOT / "deploy" / "Dockerfile").read_text().replace("\\\n", "")
    (command,) = re.findall(r"^CMD (.+)$", dockerfile, re.MULTILINE)
    program = ["uvicorn", "cardsite.asgi:application"]
    assert json.loads(command) == [*program, "--host=0.0.0.0", "--port=8000", *web.OPTIONS]
    start = unit(ROOT / "deploy" / "systemd" / "cardsite-web@.service")["ExecStart"].replace("\\\n", "").split()
    assert start[1:] == [program[1], "--host=127.0.0.1", "--port=%i", *web.OPTIONS]


def test_image_copies_files_that_exist_and_none_that_it_ignores() -> None:
    dockerfile = (ROOT / "deploy" / "Dockerfile").read_text()
    ignored = (ROOT / "deploy" / "Dockerfile.dockerignore").read_text().split()
    for sources in re.findall(r"^COPY (.+) \S+$", dockerfile, re.MULTILINE):
        for source in sources.split():
            assert (ROOT / source).exists() and source not in ignored
    assert {".git", ".venv", "var"} <= {*ignored}


def is_log_in_door(path: str) -> bool:
    """Whether nginx counts a POST to this path as a log-in."""
    (pattern,) = re.findall(r'"~\^POST:(\S+)" \$binary_remote_addr;', nginx.CONFIGURATION)
    return re.match(pattern, path) is not None


def test_nginx_counts_every_door_that_takes_a_password_or_sends_an_email() -> None:
    doors = ["accounts:login", "admin:login", "accounts:sign-up", "accounts:forgotten", "accounts:password"]
    assert [name for name in doors if not is_log_in_door(reverse(name))] == []
    pages = ["home", "admin:index", "accounts:profile", "accounts:logout", "games:lobby"]
    assert [name for name in pages if is_log_in_door(reverse(name))] == []


def test_nginx_lets_the_largest_file_of_a_tournament_through() -> None:
    (megabytes,) = re.findall(r"^ +client_max_body_size (\d+)m;", nginx.CONFIGURATION, re.MULTILINE)
    assert int(megabytes) * 2**20 > LONGEST_EVENT_FILE


def test_nginx_limits_requests_log_ins_and_connections_and_answers_429() -> None:
    zones = set(re.findall(r"^limit_(?:req|conn)_zone \S+ zone=(\w+):", nginx.CONFIGURATION, re.MULTILINE))
    used = set(re.findall(r"^ +limit_(?:req zone=|conn )(\w+)", nginx.CONFIGURATION, re.MULTILINE))
    assert zones == used == {"cardsite_requests", "cardsite_logins", "cardsite_connections"}
    for kind in ("req", "conn"):
        assert re.search(rf"^ +limit_{kind}_status 429;", nginx.CONFIGURATION, re.MULTILINE)


def test_nginx_sends_all_requests_of_a_table_to_one_process() -> None:
    (rule,) = re.findall(r'"(~\^\S+)" \$table_code;', nginx.CONFIGURATION)
    rule = rule.removeprefix("~").replace("(?<", "(?P<")
    assert "hash $routed_by consistent;" in nginx.CONFIGURATION
    for name in ("table", "board", "move", "table-events"):
        found = re.match(rule, reverse(f"games:{name}", args=["abc234xy"]))
        assert found and found["table_code"] == "abc234xy", name
    for name in ("read_table", "play_move", "stream_table"):
        found = re.match(rule, reverse(f"api:{name}", args=["abc234xy"]))
        assert found and found["table_code"] == "abc234xy", name
    assert not any(
        re.match(rule, path)
        for path in ("/", reverse("api:list_tables"), reverse("games:lobby"), f"{presence.HEARTBEAT_PATH}x")
    )
    assert {*CODE_LETTERS} <= {*"abcdefghijklmnopqrstuvwxyz0123456789"}


def test_nginx_and_the_units_name_the_same_web_processes() -> None:
    started = re.findall(r"cardsite-web@(\d+)", (ROOT / "deploy" / "systemd" / "cardsite-web@.service").read_text())
    assert re.findall(r"server 127\.0\.0\.1:(\d+);", nginx.CONFIGURATION) == started


def test_nginx_writes_no_secret_of_a_path_into_its_log() -> None:
    (rule,) = re.findall(r'"~\^\(\?<before_secret>(\S+)\)\." "\$before_secret\.\.\.";', nginx.CONFIGURATION)
    assert (
        nginx.CONFIGURATION.count("access_log")
        == nginx.CONFIGURATION.count("access_log /var/log/nginx/cardsite.log cardsite;")
        == 2
    )
    secret = "s3cret-token:with_all"
    paths = [
        reverse("login-link", args=[secret]),
        reverse("accounts:new-password", args=["MQ", secret]),
        reverse("notifications:confirm-mail", args=[secret]),
        reverse("notifications:stop-mail", args=[secret]),
        reverse("tournaments:feed-own", args=[secret]),
        f"{presence.HEARTBEAT_PATH}{secret}",
    ]
    for path in paths:
        found = re.match(rule, path)
        assert found and secret not in found[0], path


@pytest.mark.skipif(nginx.PROGRAM is None, reason="nginx is not installed, so `nginx -t` cannot read the file")
def test_nginx_reads_the_file(tmp_path: Path) -> None:
    nginx.make_certificate(tmp_path)
    site = nginx.CONFIGURATION.replace("/etc/letsencrypt/live/cards.example", str(tmp_path))
    site = site.replace("/var/log/nginx", str(tmp_path))
    numbers = count()
    site = re.sub(r"listen [^ ;]+", lambda _: f"listen unix:{tmp_path}/{next(numbers)}", site)  # no port is needed
    main = tmp_path / "nginx.conf"
    main.write_text(f"pid {tmp_path}/pid; error_log stderr; events {{}} http {{ {site} }}")
    done = subprocess.run([nginx.PROGRAM, "-t", "-p", tmp_path, "-c", main], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_nothing_outside_the_containers_reaches_redis_and_the_database() -> None:
    services = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())["services"]
    published = {name for name, service in services.items() if "ports" in service or "network_mode" in service}
    assert published == {"web"} and services["web"]["ports"] == ["127.0.0.1:8000:8000"]


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_every_dependency_is_pinned_with_a_hash(lock: str) -> None:
    entries = re.split(r"\n(?=\S)", (ROOT / lock).read_text())
    pinned = [entry for entry in entries if not entry.startswith("#")]
    assert len(pinned) > 40
    assert not [entry for entry in pinned if not re.match(r"[\w.\[\]-]+==\S+", entry) or "--hash=sha256:" not in entry]


def test_ci_asks_for_known_faults_of_every_pinned_dependency() -> None:
    """It warns alone: a new fault is no fault of the change."""
    assert "make audit" in (ROOT / ".ci/run").read_text()
    recipe = (ROOT / "Makefile").read_text().partition("\naudit:\n")[2].partition("\n\n")[0]
    assert "pip-audit --strict" in recipe and "--requirement requirements-dev.lock" in recipe


def test_behind_tls_staff_need_a_second_factor() -> None:
    done = with_tls("-c", "from cardsite import settings; print(settings.STAFF_SECOND_FACTOR)")
    assert done.stdout == "True\n"
