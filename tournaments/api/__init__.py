"""Operations of the HTTP API about tournaments and ladders; each module adds its own to the router."""

from tournaments.api import directing, director_calls, entering, events, ladders, series
