"""What manage.py does before Django is there: it keeps `.venv` as the lock file says."""

import hashlib
import importlib.util
import resource
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
EMPTY_LOCK = "# nothing to install\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with manage.py and locks that ask for nothing."""
    return checked_out(tmp_path)


@pytest.fixture
def installed(installed_once: Path, tmp_path: Path) -> Path:
    """Such a checkout after `manage.py setup`."""
    return shutil.copytree(installed_once, tmp_path, symlinks=True, dirs_exist_ok=True)


@pytest.fixture(scope="module")
def installed_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    checkout = checked_out(tmp_path_factory.mktemp("installed"))
    setup(checkout)
    return checkout


def checked_out(directory: Path) -> Path:
    shutil.copy(ROOT / "manage.py", directory)
    (directory / "requirements.lock").write_text(EMPTY_LOCK)
    (directory / "requirements-dev.lock").write_text(EMPTY_LOCK + "# and no tools\n")
    return directory


def outside_python() -> str:
    """The Python that the tests' own environment was made from."""
    return str(Path(sys.base_prefix) / "bin" / "python3")


def setup(checkout: Path, *options: str) -> str:
    command = [outside_python(), "manage.py", "setup", *options]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_inside(checkout: Path, code: str) -> int:
    """Exit code of these lines in the environment of the checkout."""
    return subprocess.run([str(checkout / ".venv/bin/python"), "-c", code]).returncode


def load(checkout: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("manage_of_checkout", checkout / "manage.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_environment_is_made_once(checkout: Path) -> None:
    assert "Installing" in setup(checkout)
    assert (checkout / ".venv/bin/python").exists()
    assert setup(checkout) == ""


def test_changed_lock_makes_the_environment_anew(installed: Path) -> None:
    (installed / ".venv/leftover").touch()
    (installed / "requirements.lock").write_text(EMPTY_LOCK * 2)
    assert "Installing" in setup(installed)
    assert not (installed / ".venv/leftover").exists()


def test_environment_for_development_also_serves_to_run_the_site(checkout: Path) -> None:
    setup(checkout, "--dev")
    assert setup(checkout) == ""


def test_environment_to_run_the_site_does_not_serve_for_development(installed: Path) -> None:
    assert "Installing" in setup(installed, "--dev")


def test_tools_are_added_to_the_environment_of_a_running_site(installed: Path) -> None:
    (installed / ".venv/in-use").touch()
    (installed / "requirements-dev.lock").write_text(requirement(wheel(installed, size=1)))
    assert "Installing" in setup(installed, "--dev")
    assert (installed / ".venv/in-use").exists()
    assert run_inside(installed, "import big") == 0
    assert setup(installed, "--dev") == setup(installed) == ""


def test_broken_environment_is_made_anew(installed: Path) -> None:
    (installed / ".venv/leftover").touch()
    (installed / ".venv/bin/python").unlink()
    assert "Installing" in setup(installed)
    assert not (installed / ".venv/leftover").exists()
    assert run_inside(installed, "") == 0


def test_environment_of_another_python_is_made_anew_for_the_tools(installed: Path) -> None:
    (installed / ".venv/leftover").touch()
    (installed / ".venv/installed-from").write_text("what another Python writes")
    setup(installed, "--dev")
    assert not (installed / ".venv/leftover").exists()


def test_interrupted_install_starts_over(installed: Path) -> None:
    (installed / ".venv/installed-from").unlink()
    assert "Installing" in setup(installed)


def test_interrupted_install_of_tools_starts_over(installed: Path) -> None:
    (installed / ".venv/leftover").touch()
    (installed / "requirements-dev.lock").write_text("big @ file:///nowhere.whl --hash=sha256:00\n")
    done = subprocess.run([outside_python(), "manage.py", "setup", "--dev"], cwd=installed, capture_output=True)
    assert done.returncode == 1
    assert "Installing" in setup(installed)
    assert not (installed / ".venv/leftover").exists()


def test_other_python_asks_for_another_environment(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manage = load(installed)
    manage.STAMP.write_text(manage.stamp(manage.RUNTIME_LOCK))
    assert manage.is_installed(manage.RUNTIME_LOCK)
    monkeypatch.setattr(sys, "version", "3.99.0 (other)")
    assert not manage.is_installed(manage.RUNTIME_LOCK)


def test_package_without_its_hash_is_refused_with_one_sentence(checkout: Path) -> None:
    (checkout / "requirements.lock").write_text("django==5.2\n")
    done = subprocess.run([outside_python(), "manage.py", "up"], cwd=checkout, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.endswith("The dependencies could not be installed; pip says why above.\n")
    assert "Traceback" not in done.stderr


def test_directory_that_cannot_be_written_is_one_sentence(checkout: Path) -> None:
    (checkout / ".venv").write_text("in the way")
    done = subprocess.run([outside_python(), "manage.py", "up"], cwd=checkout, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("Cannot write to ") and "Traceback" not in done.stderr


def wheel(directory: Path, *, size: int) -> Path:
    """A package with one file of `size` bytes, not compressed."""
    path = directory / "big-1.0-py3-none-any.whl"
    files = {
        "big.py": b"#" * size,
        "big-1.0.dist-info/METADATA": b"Metadata-Version: 2.1\nName: big\nVersion: 1.0\n",
        "big-1.0.dist-info/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{name},,\n" for name in (*files, "big-1.0.dist-info/RECORD"))
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
        archive.writestr("big-1.0.dist-info/RECORD", record)
    return path


def requirement(package: Path) -> str:
    """Line of a lock that asks for this package."""
    return f"big @ {package.as_uri()} --hash=sha256:{hashlib.sha256(package.read_bytes()).hexdigest()}\n"


def test_install_without_room_is_one_sentence(checkout: Path) -> None:
    (checkout / "requirements.lock").write_text(requirement(wheel(checkout, size=2_000_000)))
    done = subprocess.run(
        [outside_python(), "manage.py", "up"],
        cwd=checkout,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000)),
    )
    assert done.returncode == 1
    said = f"The dependencies could not be installed in {checkout / '.venv'}: File too large.\n"
    assert done.stderr == said
    assert setup(checkout).startswith("Installing")  # with room, the next try works
    assert (checkout / ".venv/installed-from").exists()


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_locks_name_hashes_and_no_address(name: str) -> None:
    text = (ROOT / name).read_text()
    assert "--hash=sha256:" in text
    assert "://" not in text and "--index-url" not in text and "--find-links" not in text
