"""The documents lead to files and tests that exist, and the check of layers knows every package."""

import ast
import re
import tomllib

import pytest
from django.conf import settings

ROOT = settings.BASE_DIR
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "seeds" / "README.md"])
LINK = re.compile(r"\]\(([^)#:]+)\)")
ROOMS = "accounts cardsite chat deploy docs games infra notifications seeds templates tests tournaments tutorials"
CODE = re.compile(rf"`((?:{'|'.join(ROOMS.split())})/[\w/]+(?:\.py|/))`")
GUARD = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_every_link_and_every_path_of_a_document_exists(document):
    text = document.read_text()
    missing = [link for link in LINK.findall(text) if not (document.parent / link).exists()]
    missing += [path for path in CODE.findall(text) if not (ROOT / path).exists()]
    assert not missing


def test_the_documents_are_all_read():
    names = {document.name for document in DOCUMENTS}
    assert {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "architecture.md", "operating.md"} <= names
    assert sum(len(CODE.findall(document.read_text())) for document in DOCUMENTS) > 20


def test_every_line_of_the_threat_model_has_a_test_or_says_that_it_has_none():
    rows = [line.split("|")[1:-1] for line in (ROOT / "docs/security.md").read_text().splitlines() if line[:2] == "| "]
    threats = [(what, guard) for what, _, guard in rows[1:] if not what.strip().startswith("**")]
    unguarded = [what for what, guard in threats if not (GUARD.search(guard) or "**No guard**" in guard)]
    guards = [found for _, guard in threats for found in GUARD.findall(guard)]
    missing = [f"{path}::{name}" for path, name in guards if name not in names_of_tests(path)]
    assert len(guards) > 30 and not unguarded and not missing


def names_of_tests(path):
    """The functions of a file; none if there is no such file."""
    file = ROOT / path
    tree = ast.parse(file.read_text() if file.exists() else "")
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_every_package_at_the_top_has_a_layer():
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests"}
    configured = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    assert packages == {*configured["importlinter"]["root_packages"]}
    assert packages <= {*configured["mypy"]["files"]}
