"""Goldens: records of games that a person has read, replayed line by line.

`python3 manage.py playthrough <game> --seats N --seed 1 --hands 1` prints one; the file is called
`<game>-<seats>[-<option>=<value>...].txt`.
"""

from pathlib import Path

import pytest

from games.core.playthrough import record
from games.engines import GAMES, get

FOLDER = Path(__file__).parents[1] / "playthroughs"
GOLDENS = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: path.stem)
def test_the_golden_is_played_again_line_by_line(path: Path):
    text = path.read_text()
    title, options = text.splitlines()[:2]
    slug, _rules, seats, seed = title.split(", ")
    game = get(slug)
    chosen = dict(pair.split(" ", 1) for pair in options.removeprefix("options: ").split(", "))
    hands = None if "\nafter " in text else text.count("\n== hand ")
    number = int(seats.split()[0])
    options_read = game.read_options(chosen, number)
    assert record(game, seats=number, seed=int(seed.split()[-1]), options=options_read, hands=hands) == text


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_every_seat_count_has_a_golden(game):
    for seats in game.seats:
        found = [path for path in GOLDENS if path.stem.startswith(f"{game.slug}-{seats}")]
        assert found, f"no golden for {seats} seats"
