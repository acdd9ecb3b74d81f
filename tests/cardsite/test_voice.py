"""Plain words: no text of a page, form, message or e-mail uses a word that nobody says today.

The texts of the rules (`games.core`, `games.engines`) have tests of their own.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from tutorials.content.seedfile import render_markdown

OLD_WORDS = re.compile(
    r"\b(whoever|whom|somebody|anybody|everybody|nobody|oneself|one's|himself|herself|anew|by lot|any more|shut|mended"
    r"|the house|all the same|(?:is|are|be) told|goes? on|stands?|lies)\b",
    re.I,
)
NO_TEXT = re.compile(r"{#.*?#}|{% comment %}.*?{% endcomment %}|<(script|style|pre)\b.*?</\1>", re.S)
TEMPLATE_TAG = re.compile(r"{%.*?%}|{{.*?}}", re.S)
HTML_TAG = re.compile(r"<[^>]*>")
SPOKEN = re.compile(r'\b(?:aria-label|aria-description|title|placeholder|alt|content|data-[a-z]+)="([^"]*)"')
APPS = ("accounts", "cardsite", "chat", "games", "infra", "notifications", "tournaments")
OTHER_ROOMS = {"bots", "core", "engines", "management", "migrations", "server", "web"}
TEMPLATES = sorted(settings.BASE_DIR.glob("templates/**/*.[hj][ti][mn]*"))
MODULES = [
    path
    for app in APPS
    for path in sorted((settings.BASE_DIR / app).rglob("*.py"))
    if not OTHER_ROOMS & set(path.relative_to(settings.BASE_DIR).parts)
]


def texts_of_template(path: Path) -> Iterator[str]:
    """What its reader sees or hears."""
    html = TEMPLATE_TAG.sub(" ", NO_TEXT.sub(" ", path.read_text()))
    yield from SPOKEN.findall(html)
    yield HTML_TAG.sub(" ", html)


def texts_of_module(path: Path) -> Iterator[str]:
    """Its strings of several words, but no docstrings and nothing that an assertion says."""
    unseen: set[ast.AST] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            unseen.add(node.value)
        elif isinstance(node, ast.Assert) and node.msg:
            unseen.update(ast.walk(node.msg))
        elif (
            isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in unseen and " " in node.value
        ):
            yield node.value


def old_words(texts: Iterator[str]) -> set[str]:
    return {" ".join(found.split()).lower() for text in texts for found in OLD_WORDS.findall(" ".join(text.split()))}


def name(path: Path) -> str:
    return str(path.relative_to(settings.BASE_DIR))


def test_quotes_and_apostrophes_are_straight():
    """As most texts write them, and the sentences of the engines beside them."""
    code = [path for app in (*APPS, "tutorials") for path in (settings.BASE_DIR / app).rglob("*.py")]
    seeds = [path for end in ("md", "yaml") for path in (settings.BASE_DIR / "seeds").rglob(f"*.{end}")]
    assert len(code) > 500 and len(seeds) > 30, "the files are somewhere else now"
    curly = re.compile("[\u2018\u2019\u201c\u201d]")
    assert not [name(path) for path in (*TEMPLATES, *code, *seeds) if curly.search(path.read_text())]
    assert not curly.search(render_markdown("It's \"so\", isn't it?"))


@pytest.mark.parametrize(("paths", "texts_of"), [(TEMPLATES, texts_of_template), (MODULES, texts_of_module)])
def test_no_text_uses_old_words(paths, texts_of):
    assert len(paths) > 150, "the files are somewhere else now"
    assert not {name(path): found for path in paths if (found := old_words(texts_of(path)))}


def test_old_words_are_found(tmp_path):
    path = tmp_path / "page"
    path.write_text('<p title="Whoever comes">Somebody\nsits {# anew #} {{ by.lot }} here.</p>')
    assert old_words(texts_of_template(path)) == {"whoever", "somebody"}
    path.write_text('"""Nobody."""\nassert x, "is told twice"\nfail(f"{x} goes on", "letter")\n')
    assert old_words(texts_of_module(path)) == {"goes on"}
