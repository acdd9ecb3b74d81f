"""The fast path of a move: in the event loop, past the middlewares."""
