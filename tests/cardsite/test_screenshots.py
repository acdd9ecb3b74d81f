"""Commands that open a browser, and the pictures of the README."""

import re

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from cardsite.management.commands.screenshots import MOST_BYTES


@pytest.mark.parametrize("command", ["screenshots", "bench_vitals"])
def test_without_a_browser_it_says_what_to_install(command, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(CommandError, match="apt install chromium"):
        call_command(command)


def test_every_picture_of_the_readme_is_there_and_small():
    pictures = re.findall(r"docs/\w+\.webp", (settings.BASE_DIR / "README.md").read_text())
    assert len(pictures) == 3
    for picture in pictures:
        assert 0 < (settings.BASE_DIR / picture).stat().st_size < MOST_BYTES
