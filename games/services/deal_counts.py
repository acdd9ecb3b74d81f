"""Deal counts: adds the decks of finished games to the statistics of shuffles, each deck once."""

import logging
from hashlib import sha256

from django.db import transaction
from django.db.models import Max

from games.core import deals
from games.core.contract import GameError
from games.domain.shuffle_statistics import places_dealt
from games.models import CountedTable, DeckCounts, Table
from games.models.querysets import TableQuerySet
from games.record import replay

logger = logging.getLogger(__name__)


def uncounted_tables() -> TableQuerySet[Table]:
    """Finished tables whose decks are still to be counted, the oldest first.

    Tables that repeat the cards of another one are left out: a player chose those deals, so they are not random.
    """
    return Table.objects.own_deals().filter(status=Table.Status.FINISHED, is_hidden=False, counted=None).order_by("pk")


def count_decks(*, table_id: int) -> None:
    """Counts the decks of an `uncounted_tables` table. A second call finds nothing to do."""
    table = uncounted_tables().with_seats().filter(pk=table_id).first()
    if table is None:
        return
    rules, decks, secret = table.rules, _decks_of(table), bytes(table.secret)
    pack, places = rules.deck(table.options), places_dealt(rules, table.options, table.seat_count)
    shuffle = sha256(f"{table.commitment}|{table.entropy}|{' '.join(pack)}".encode()).hexdigest()
    way, _ = DeckCounts.objects.get_or_create(game=table.game, pack=" ".join(pack), places=places)
    with transaction.atomic():
        counts = DeckCounts.objects.select_for_update().get(pk=way.pk)
        if CountedTable.objects.filter(table=table).exists():
            return
        done = CountedTable.objects.filter(shuffle=shuffle).aggregate(last=Max("last_deck"))["last"] or 0
        counts.tables.create(table=table, shuffle=shuffle, first_deck=done + 1, last_deck=max(done, decks))
        tally = counts.tally
        for number in range(done + 1, decks + 1):
            tally.take(deals.shuffled(pack, secret, table.entropy, number), rules.hand_strength)
        counts.tally = tally
        counts.save()


def _decks_of(table: Table) -> int:
    """How many decks were dealt; 0, so none to count, where today's rules cannot replay the moves."""
    try:
        return replay.decks_dealt(table)
    except GameError:
        logger.warning("The decks of table %s are not counted: its moves cannot be replayed.", table.code)
        return 0
