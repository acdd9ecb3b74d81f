"""What can be said with one click. Lines keep the key, so that the words may be bettered."""

from games.models import Table

WAITING, RUNNING, OVER = "waiting", "running", "over"

PHRASES = {  # by key: words, and when they are offered
    "hello": ("Hello, have a good game.", (WAITING, RUNNING)),
    "thanks": ("Thank you.", (WAITING, RUNNING, OVER)),
    "well-played": ("Well played.", (RUNNING, OVER)),
    "slow": ("Sorry, I need a moment.", (WAITING, RUNNING)),
    "good-game": ("Good game, thank you.", (OVER,)),
    "rematch": ("Another game?", (OVER,)),
    "go": ("I have to go now.", (OVER,)),
}
REACTIONS = {"applaud": "applauds", "smile": "smiles", "hat": "tips the hat"}
DO_REACT = {"applaud": "Applaud", "smile": "Smile", "hat": "Tip your hat"}


def moment(table: Table) -> str:
    if table.is_over:
        return OVER
    return RUNNING if table.started_at else WAITING


def offered(table: Table) -> tuple[tuple[str, str], ...]:
    """Key and words of what can be said at this moment of a game."""
    now = moment(table)
    return tuple((key, words) for key, (words, moments) in PHRASES.items() if now in moments)


def in_words(key: str) -> str:
    return PHRASES[key][0] if key in PHRASES else REACTIONS[key]
