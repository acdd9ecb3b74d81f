"""No line of a template is too long to be read beside its diff."""

from django.conf import settings

LONGEST = 160
TEMPLATES = settings.BASE_DIR / "templates"


def test_no_line_of_a_template_is_too_long():
    paths = sorted(path for path in TEMPLATES.rglob("*") if path.suffix in (".html", ".jinja"))
    assert len(paths) > 150, "the templates are somewhere else now"
    assert not [
        f"{path.relative_to(TEMPLATES)}:{number}"
        for path in paths
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > LONGEST
    ]
