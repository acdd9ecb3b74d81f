"""Quick chat: phrases and reactions to choose with one click. Lines store the key, so the wording can change."""

from games.models import Table

BEFORE_GAME, DURING_GAME, AFTER_GAME = "waiting", "running", "over"

PHRASES = {  # by key: words, and when they are offered
    "hello": ("Hello, have a good game.", (BEFORE_GAME, DURING_GAME)),
    "thanks": ("Thank you.", (BEFORE_GAME, DURING_GAME, AFTER_GAME)),
    "well-played": ("Well played.", (DURING_GAME, AFTER_GAME)),
    "slow": ("Sorry, I need a moment.", (BEFORE_GAME, DURING_GAME)),
    "good-game": ("Good game, thank you.", (AFTER_GAME,)),
    "rematch": ("Another game?", (AFTER_GAME,)),
    "go": ("I have to go now.", (AFTER_GAME,)),
}
REACTIONS = {"applaud": "applauds", "smile": "smiles", "hat": "tips the hat"}
DO_REACT = {"applaud": "Applaud", "smile": "Smile", "hat": "Tip your hat"}


def game_phase(table: Table) -> str:
    """Waiting, running or over: decides which phrases are offered."""
    if table.is_over:
        return AFTER_GAME
    return DURING_GAME if table.started_at else BEFORE_GAME


def offered_phrases(table: Table) -> tuple[tuple[str, str], ...]:
    """Key and text of the phrases that fit this phase of the game."""
    now = game_phase(table)
    return tuple((key, words) for key, (words, moments) in PHRASES.items() if now in moments)


def phrase_text(key: str) -> str:
    """The text of a phrase or reaction."""
    return PHRASES[key][0] if key in PHRASES else REACTIONS[key]
