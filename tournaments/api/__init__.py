"""Operations of the HTTP API about tournaments: each module has a router of its own."""
