"""Fast path of a move: in the event loop, past the middlewares, stored by one statement. `FAST_MOVES=0`: not used.

It decides nothing itself: `games.services.moves.judge` does, as for every other move. What it knows of login, page and
table is from requests that went through all middlewares. The statement stores the move only if that still holds.
"""
