"""Deal counts: what was dealt at all tables, for the statistics of a game (`games.domain.shuffle_statistics`)."""

from django.db import models

from games.domain.shuffle_statistics import Tally
from games.models.table import Table


class DeckCounts(models.Model):
    """The decks of a game that were shuffled from one pack and dealt in one way.

    pack: its cards, unshuffled, with spaces between them. places, counts: see `Tally`, whose other fields `counts` are.
    """

    game = models.CharField(max_length=40)
    pack = models.CharField(max_length=600)
    places = models.CharField(max_length=150)
    decks = models.PositiveIntegerField(default=0)
    counts = models.JSONField(default=dict)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["game", "pack", "places"], name="way_of_dealing_once_in_a_game")]

    def __str__(self) -> str:
        return f"{self.decks} decks of {self.game}"

    @property
    def tally(self) -> Tally:
        return Tally(tuple(self.pack.split()), self.places, self.decks, **self.counts)

    @tally.setter
    def tally(self, tally: Tally) -> None:
        self.decks = tally.decks
        self.counts = {
            "positions": tally.positions,
            "sums": tally.sums,
            "squares": tally.squares,
            "squared_totals": tally.squared_totals,
        }


class CountedTable(models.Model):
    """A finished table whose decks have been counted, so that they are not counted again.

    shuffle: SHA-256 of what decides its decks; tables that were dealt the same cards have the same one.
    first_deck, last_deck: those of its decks that count; none, if first is more than last, because an earlier table
    had them all, or because its moves cannot be replayed.
    """

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="counted")
    counts = models.ForeignKey(DeckCounts, on_delete=models.CASCADE, related_name="tables")
    shuffle = models.CharField(max_length=64, db_index=True)
    first_deck = models.PositiveIntegerField()
    last_deck = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"decks {self.first_deck} to {self.last_deck} of {self.table}"
