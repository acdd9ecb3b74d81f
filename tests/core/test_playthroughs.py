"""Goldens: records of games that a person has read, replayed line by line.

`python3 manage.py playthrough <game> --seats N --seed 1 --hands 1` prints one; the file is called
`<game>-<seats>[-<option>=<value>...].txt`. `--moves N` in place of `--hands 1` keeps those of long games readable.
"""

import re
from pathlib import Path

import pytest

from games.core.playthrough import record
from games.engines import GAMES, get

FOLDER = Path(__file__).parents[1] / "playthroughs"
STOPPED = re.compile(r"\nstopped after (\d+) moves\n$")
GOLDENS = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: path.stem)
def test_the_golden_is_played_again_line_by_line(path: Path):
    text = path.read_text()
    title, options = text.splitlines()[:2]
    slug, _rules, seats, seed = title.split(", ")
    game = get(slug)
    chosen = dict(pair.split(" ", 1) for pair in options.removeprefix("options: ").split(", "))
    stopped = STOPPED.search(text)
    limits = (
        {"moves": int(stopped[1])} if stopped else {"hands": None if "\nafter " in text else text.count("\n== hand ")}
    )
    number = int(seats.split()[0])
    options_read = game.read_options(chosen, number)
    assert record(game, seats=number, seed=int(seed.split()[-1]), options=options_read, **limits) == text


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_every_seat_count_has_a_golden(game):
    for seats in game.seats:
        found = [path for path in GOLDENS if path.stem.startswith(f"{game.slug}-{seats}")]
        assert found, f"no golden for {seats} seats"
