"""Static files: collected under hashed names, compressed, and left alone while nothing has changed."""

import gzip
import re
import shutil
from pathlib import Path

import pytest
from django.conf import settings
from django.templatetags.static import static

from cardsite.web.static_files import STAMP, HashedStaticFiles, collect

IMPORT = re.compile(r"""^(?:import|export)\b[^;]*?["'](\.{1,2}/[^"']+)["'];""", re.MULTILINE)
URL_IN_SOURCE = re.compile(r"url\((?!#|\"?data:)")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("var") / "static"
    collect(root)
    return root


def text_of(root: Path, name: str) -> str:
    """What a browser gets that asks for the file by its plain name."""
    return (root / HashedStaticFiles(location=root).stored_name(name)).read_text()


def test_files_have_their_plain_names_until_they_are_collected() -> None:
    assert static("cardsite/icon.svg") == "/static/cardsite/icon.svg"


def test_a_stylesheet_holds_what_it_imports_in_its_layers(root: Path) -> None:
    sheet = text_of(root, "cardsite/css/table.css")
    assert "@import" not in sheet
    assert "@layer table {\n" in sheet
    assert ".felt {" in sheet
    assert "@layer base, layout, parts, table, pages, media;" in text_of(root, "cardsite/css/site.css")


def test_sources_of_stylesheets_name_no_other_file() -> None:
    """A relative address would mean another file once the source is in a sheet above its folder."""
    css = settings.BASE_DIR / "cardsite" / "static" / "cardsite" / "css"
    assert not [path for path in css.rglob("*.css") if URL_IN_SOURCE.search(path.read_text())]


def test_scripts_import_hashed_names_that_are_there(root: Path) -> None:
    storage = HashedStaticFiles(location=root)
    scripts = [name for name in storage.hashed_files.values() if re.match(r"(cardsite|games|tutorials)/.*\.js$", name)]
    imports = {name: IMPORT.findall((root / name).read_text()) for name in scripts}
    assert any(imports.values())
    for name, found in imports.items():
        for other in found:
            assert re.search(r"/\w+\.[0-9a-f]{12}\.js$", other)
            assert (root / name).parent.joinpath(other).exists(), f"{name} imports {other}"


def test_text_is_compressed(root: Path) -> None:
    path = root / HashedStaticFiles(location=root).stored_name("cardsite/cards.svg")
    assert gzip.decompress(path.with_name(f"{path.name}.gz").read_bytes()) == path.read_bytes()


def test_nothing_is_collected_again_while_nothing_has_changed(root: Path) -> None:
    def times() -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in root.rglob("*")}

    before = times()
    collect(root)
    assert times() == before


def test_files_of_the_release_before_stay_and_older_ones_go(root: Path, tmp_path: Path) -> None:
    here = shutil.copytree(root, tmp_path / "static")
    name = HashedStaticFiles(location=here).stored_name("cardsite/icon.svg")
    before, older = "cardsite/icon.000000000000.svg", "cardsite/icon.111111111111.svg"
    for old in (before, older):
        shutil.copy(here / name, here / old)
    manifest = here / "staticfiles.json"
    manifest.write_text(manifest.read_text().replace(name, before))
    (here / STAMP).write_text("of other files")
    collect(here)
    assert (here / name).exists()
    assert (here / before).exists()
    assert not (here / older).exists()
