"""Moves that are worked out when they are looked at."""

from games.core.moves import DRAW, PASS, Discard, LazyMoves


def test_lazy_moves_work_out_only_those_that_are_looked_at():
    made = []

    def discard(card: str):
        def make() -> Discard:
            made.append(card)
            return Discard(card)

        return make

    moves = LazyMoves((DRAW, discard("AS"), discard("KS"), PASS))
    assert len(moves) == 4 and moves[0] == DRAW and not made
    assert moves[2] == moves[-2] == Discard("KS") and made == ["KS", "KS"]
    assert moves[1:] == (Discard("AS"), Discard("KS"), PASS)
    assert list(moves) == [DRAW, Discard("AS"), Discard("KS"), PASS]
    assert not LazyMoves(())
