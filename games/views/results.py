"""Result pages of a finished game: the score sheet, and how it was dealt."""

from itertools import zip_longest
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games import services
from games.core import deals as decks
from games.models import Table
from games.presentation import table_page
from games.presentation.game_story import margin
from games.presentation.score_sheets import score_rows, score_sheets
from games.presentation.verification import contribution_of, dealer_source
from games.queries.public_games import is_public_game
from games.record import playback, replay
from games.views.access import assigned_seat, seat_of, while_hidden


def require_finished(table: Table) -> None:
    """A game that is over: only then may everything be seen."""
    if not table.is_over or table.started_at is None:
        raise Http404("This game is not over.")


@require_GET
@while_hidden(players_may=True)
def result(request: HttpRequest, table: Table) -> HttpResponse:
    """The score sheet: every point with the rule that gives it."""
    require_finished(table)
    state = replay.state_of(table)
    outcome, own = state.outcome(), seat_of(request, table)
    deals = playback.playback_of(table).deals
    hands = score_sheets(state.results, table.names, scores=state.view(None).scores)
    context = {
        "table": table,
        "game": table.rules,
        "own_seat": own,
        "can_be_reviewed": not table.is_hidden and bool(services.seats_to_review(table, request.user.pk)),
        "may_offer": own is not None and not table.is_hidden and not table.repeats_cards,
        "hands": [
            (
                hand,
                deal,
                [(" and ".join(table.names[seat] for seat in side), hand.points[side[0]]) for side in table.sides],
            )
            for hand, deal in zip(hands, deals, strict=False)
        ],
        "margin": margin(table),
        "counts_points": table.rules.counts_points(table.options),
        "cut_short": deals[-1] if deals and deals[-1].result is None else None,
        "final_rows": score_rows(outcome.lines, table.names) if outcome else (),
        "share_url": request.build_absolute_uri(),
        "is_public": is_public_game(table),
        "section": "play",
    }
    return render(request, "games/result.html", context | table_page.after_game(table, hands))


@require_GET
@while_hidden(players_may=True)
def hand(request: HttpRequest, table: Table, hand: int) -> HttpResponse:
    """The end of a finished hand, to be looked at again."""
    if table.started_at is None:
        raise Http404("This game has not started.")
    try:
        context = table_page.show_context(table, assigned_seat(request, table), hand)
    except LookupError:
        raise Http404("This hand is not over.") from None
    return render(request, "games/hand.html", context)


@require_GET
@while_hidden(players_may=True)
def verify(request: HttpRequest, table: Table) -> HttpResponse:
    """How the deals were made. The secret appears once the game is over, wherever its cards are played."""
    context: dict[str, Any] = {
        "table": table,
        "game": table.rules,
        "own_seat": assigned_seat(request, table),
        "section": "play",
    }
    own_numbers = [seat for seat in table.seat_rows if seat.is_entropy_own and seat.entropy]
    context["is_older"] = any(not seat.commitment for seat in own_numbers)
    context["is_by_site_alone"] = table.started_at and not own_numbers and not table.repeats_cards
    if table.is_over and table.started_at and not table.is_hidden:
        context["record"] = deal_record(table)
        context["decks"] = list(zip_longest(context["record"]["decks"], playback.playback_of(table).deals))
        if table.first_dealer is not None:
            context["first_dealer"] = table.names[table.first_dealer]
    return render(request, "games/verify.html", context)


@require_GET
@while_hidden(players_may=False)
def deals_json(request: HttpRequest, table: Table) -> JsonResponse:
    require_finished(table)
    return JsonResponse(deal_record(table), json_dumps_params={"indent": 1})


def deal_record(table: Table) -> dict[str, Any]:
    """Everything that made the deals: input of the script on the verify page."""
    secret = bytes(table.secret)
    pack = table.rules.deck(table.options)
    return {
        "table": table.code,
        "seal": table.commitment,
        "secret": secret.hex(),
        "contributions": [
            {"commitment": seat.commitment, "value": seat.entropy, "how": contribution_of(seat)}
            for seat in table.seat_rows
        ],
        "first_dealer": table.first_dealer,
        "first_dealer_by": dealer_source(table),
        "pack": list(pack),
        "decks": [
            decks.shuffled(pack, secret, table.entropy, number + 1) for number in range(replay.decks_dealt(table))
        ],
    }
