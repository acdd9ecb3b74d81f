"""Quick chat: phrases and reactions to choose with one click. Lines store the key, so the wording can change."""

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


def game_phase(table: Table) -> str:
    """Waiting, running or over: decides which phrases are offered."""
    if table.is_over:
        return OVER
    return RUNNING if table.started_at else WAITING


def offered_phrases(table: Table) -> tuple[tuple[str, str], ...]:
    """Key and text of the phrases that fit this phase of the game."""
    now = game_phase(table)
    return tuple((key, words) for key, (words, moments) in PHRASES.items() if now in moments)


def phrase_text(key: str) -> str:
    """The text of a phrase or reaction."""
    return PHRASES[key][0] if key in PHRASES else REACTIONS[key]
