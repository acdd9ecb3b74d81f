"""Pages as tests compare them: where a template breaks its lines does not matter."""

import re

from django.http import HttpResponse

BLOCKS = (
    "article aside blockquote body caption dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 head "
    "header html legend li link main meta nav ol optgroup option p script section select summary svg table tbody td "
    "tfoot th thead title tr ul"
)
ATTRIBUTES = r"""(?:"[^"]*"|'[^']*'|[^>"'])*"""
TAG_OR_SPACE = re.compile(rf"</?[a-z]{ATTRIBUTES}>|\s+", re.I)
VALUE_OR_SPACE = re.compile(r"""("[^"]*"|'[^']*')|\s+(/?>)?""")
EDGE_OF_BLOCK = re.compile(rf" ?(</?(?:{'|'.join(BLOCKS.split())})\b{ATTRIBUTES}>) ?")
EDGE_IN_BUTTON = re.compile(rf"(<button\b{ATTRIBUTES}>) | (</button>)")


def page_html(response: HttpResponse) -> str:
    return collapse_whitespace(response.content.decode())


def page_words(response: HttpResponse) -> str:
    return words_of(response.content.decode())


def shown_cards(html: str) -> set[str]:
    """The cards whose faces a page shows."""
    return set(re.findall(r"#card-(\w\w)", html)) | set(re.findall(r'data-card="(\w+)"', html))


def collapse_whitespace(html: str) -> str:
    """To one space, as a browser does, and to none at the edges of blocks. Values of attributes stay as they are."""
    html = TAG_OR_SPACE.sub(lambda found: _in_tag(found[0]) if found[0].startswith("<") else " ", html)
    return EDGE_OF_BLOCK.sub(r"\1", EDGE_IN_BUTTON.sub(r"\1\2", html))


def words_of(html: str) -> str:
    """A page without its markup."""
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def _in_tag(tag: str) -> str:
    return VALUE_OR_SPACE.sub(lambda part: part[1] or part[2] or " ", tag)
