"""Seed files: text as Markdown, data as strict YAML, and errors that name the place."""

from collections.abc import Collection, Mapping
from html import escape
from typing import Any

import nh3
import yaml
from markdown_it import MarkdownIt

from games.core.cards import CARD_IN_TEXT

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
_TAGS = {
    "p",
    "em",
    "strong",
    "code",
    "ul",
    "ol",
    "li",
    "a",
    "br",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
}
_ATTRIBUTES = {"a": {"href"}}
_ADDED = {"th": {"scope": "col"}}  # tables of Markdown have heads of columns alone


class SeedError(ValueError):
    """A seed file is wrong. The message names the file and the line, or the chapter and the step."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason


def render_markdown(text: str) -> str:
    """Clean HTML from Markdown; tags in the text are escaped."""
    return _clean(_MARKDOWN.render(text))


def render_markdown_line(text: str) -> str:
    """Inline HTML from a sentence or two, without a paragraph around them."""
    return _clean(_MARKDOWN.renderInline(text))


def html_from_plain(text: str) -> str:
    """HTML from plain text with card codes, as the engines and bots say it; the cards become code."""
    return CARD_IN_TEXT.sub(lambda match: f"<code>{match[0]}</code>", escape(text, quote=False))


def _clean(html: str) -> str:
    return nh3.clean(html, tags=_TAGS, attributes=_ATTRIBUTES, set_tag_attribute_values=_ADDED, link_rel=None)


class _StrictLoader(yaml.CSafeLoader):
    """Safe YAML in which a duplicate key is an error."""


def _mapping_without_doubles(loader: _StrictLoader, node: yaml.MappingNode) -> dict[Any, Any]:
    loader.flatten_mapping(node)
    keys: set[Any] = set()
    for key_node, _ in node.value:
        key = loader.construct_object(key_node, deep=True)
        if key in keys:
            raise yaml.constructor.ConstructorError(None, None, f"the key {key!r} is there twice", key_node.start_mark)
        keys.add(key)
    return loader.construct_mapping(node, deep=True)


_StrictLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping_without_doubles)


def read_yaml(text: str, *, path: str, first_line: int = 1) -> Any:
    """first_line: the number of the text's first line in the file. :raises SeedError:"""
    try:
        return yaml.load(text, _StrictLoader)
    except yaml.MarkedYAMLError as error:
        line = first_line + (error.problem_mark.line if error.problem_mark else 0)
        raise SeedError(f"{path}:{line}", f"unreadable YAML, {error.problem}.") from None
    except yaml.YAMLError as error:
        raise SeedError(f"{path}:{first_line}", f"unreadable YAML, {error}.") from None


def check_keys(
    data: Any, place: str, *, needed: Collection[str] = (), allowed: Collection[str] = ()
) -> Mapping[str, Any]:
    """The mapping, if it has all needed keys and only needed and allowed ones. :raises SeedError:"""
    if not isinstance(data, Mapping):
        raise SeedError(place, f"names with values are needed, not {data!r}.")
    for key in data:
        if key not in needed and key not in allowed:
            raise SeedError(place, f"there is no {key!r}; it may hold {', '.join(sorted({*needed, *allowed}))}.")
    for key in needed:
        if key not in data:
            raise SeedError(place, f"{key!r} is missing.")
    return data
