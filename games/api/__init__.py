"""Operations of the HTTP API about games, tables and ratings; each module adds its own to the router."""

from games.api import catalogue, lists, plays, seating, seeks, streams
