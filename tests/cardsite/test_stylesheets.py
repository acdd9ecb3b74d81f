"""Stylesheets: every source file is loaded in its layer, and every page loads the rules of the classes that it uses."""

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.conf import settings

from tests.cardsite.walk_visits import World, visits
from tests.games.recorder import Reader

CSS = settings.BASE_DIR / "cardsite" / "static" / "cardsite" / "css"
SHEETS = sorted(CSS.glob("*.css"))  # what pages load; the sources are in folders, one for each layer
IMPORT = re.compile(r'@import "([\w/-]+\.css)" layer\((\w+)\);')
CLASS = re.compile(r"\.([a-zA-Z][\w-]*)")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
PRELUDE = re.compile(r"[^{};]+(?=\{)")
IN_BRACKETS = re.compile(r"\([^()]*\)")
MAPS = ["table/areas.css", "table/card-widths.css"]


def imports(sheet: Path) -> list[tuple[str, str]]:
    """Source and layer of each import, in order."""
    return IMPORT.findall(sheet.read_text())


@cache
def classes_in(sheet: str) -> frozenset[str]:
    """The classes that the rules of a sheet, such as `table.css`, name; not those of `media`, which change others."""
    sources = [COMMENT.sub("", (CSS / name).read_text()) for name, layer in imports(CSS / sheet) if layer != "media"]
    return frozenset(CLASS.findall("".join(sources)))


class Page(HTMLParser):
    """The sheets that a page loads, and the classes in it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.sheets: set[str] = set()
        self.classes: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        self.classes.update((known.get("class") or "").split())
        if tag == "link" and known.get("rel") == "stylesheet":
            self.sheets.add((known["href"] or "").rpartition("/")[2])


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_a_sheet_holds_nothing_but_imports_each_in_the_layer_of_its_folder(sheet: Path) -> None:
    rest = IMPORT.sub("", COMMENT.sub("", sheet.read_text()))
    assert re.sub(r"@layer [\w, ]+;", "", rest).strip() == ""
    assert all(name.startswith(f"{layer}/") for name, layer in imports(sheet))


def test_every_source_is_loaded_and_every_layer_has_its_place() -> None:
    sources = {str(path.relative_to(CSS)) for path in CSS.glob("*/**/*.css")}
    assert {name for sheet in SHEETS for name, _ in imports(sheet)} == sources
    order = re.findall(r"@layer ([\w, ]+);", "".join(sheet.read_text() for sheet in SHEETS))
    assert [layers.split(", ") for layers in order] == [["base", "layout", "parts", "table", "pages", "media"]]
    assert {source.partition("/")[0] for source in sources} == set(order[0].split(", "))


def test_the_widths_of_cards_at_a_table_stand_in_one_source() -> None:
    sources = [name for name, _ in imports(CSS / "table.css")]
    assert [name for name in sources if re.search(r"--(card-w|strip|aside):", (CSS / name).read_text())] == MAPS[1:]


@pytest.mark.parametrize("name", MAPS)
def test_in_a_map_of_the_table_the_last_line_counts(name: str) -> None:
    """Its selectors weigh nothing, so no line beats one below it."""
    source = COMMENT.sub("", (CSS / name).read_text())
    selectors = [text.strip() for text in PRELUDE.findall(source) if not text.strip().startswith("@")]
    assert len(selectors) > 20
    assert [text for text in selectors if set(outside_brackets(text).replace(":where", "")) - set(" &>,\n")] == []


def outside_brackets(text: str) -> str:
    while (shorter := IN_BRACKETS.sub("", text)) != text:
        text = shorter
    return text


@pytest.mark.django_db
@pytest.mark.only_on("sqlite")
@pytest.mark.parametrize("role", ["anonymous", "player", "director", "admin"])
def test_every_page_loads_the_rules_of_its_classes(role: str, world: World) -> None:
    reader = Reader(role, world.people.get(role))
    known = {name for sheet in SHEETS for name in classes_in(sheet.name)}
    missing = {}
    for visit in visits(world):
        if visit.path.startswith("/admin/"):
            continue
        response = reader.browser.get(visit.path)
        if not response.headers.get("Content-Type", "").startswith("text/html") or response.streaming:
            continue
        page = Page(response.content.decode())
        if page.sheets:  # else a part, which the page loads that asks for it
            assert len(page.sheets) <= 3, visit
            loaded = {name for sheet in page.sheets for name in classes_in(sheet)}
            if lacking := (page.classes & known) - loaded:
                missing[str(visit)] = lacking
    assert missing == {}
