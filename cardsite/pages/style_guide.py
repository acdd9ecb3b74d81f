"""Style guide at /style/: every component, and two example tables that answer from fixed positions."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from games.core.cards import RANKS, SUITS, read_cards
from infra.requests import HtmxRequest


def component_samples(request: HttpRequest) -> HttpResponse:
    return render(request, "cardsite/style_guide/components.html", {"suits": SUITS, "ranks": RANKS})


def casino_example(request: HtmxRequest) -> HttpResponse:
    """Any capture leads to the second position; trailing the eight is refused, to show a refusal."""
    text = request.POST.get("text", "")
    context = {"taken": "x" in text, "refused": text == "8S"}
    if request.method != "POST":
        return render(request, "cardsite/style_guide/casino.html", context)
    template = "cardsite/style_guide/_casino_board.html" if request.htmx else "cardsite/style_guide/casino.html"
    return render(request, template, context, status=422 if context["refused"] else 200)


def vatican_example(request: HttpRequest) -> HttpResponse:
    melds = [
        ("1", "run of hearts", "4H1 5H1 6H2 7H1"),
        ("2", "set of nines", "9C1 9D1 9S2"),
        ("3", "run of clubs", "QC1 KC2 AC1 XB"),
        ("4", "set of threes", "3C1 3D2 3H1 3S1"),
    ]
    context = {
        "melds": [(number, label, read_cards(cards)) for number, label, cards in melds],
        "hand": read_cards("3H2 8H1 9H2 TD1 TH2 JD1 QD2 2C1 9H1 XR"),
        "seats": [("Anna", 9), ("Ben", 14), ("House, club", 6)],
    }
    return render(request, "cardsite/style_guide/vatican.html", context)


def check_example_melds(request: HttpRequest) -> HttpResponse:
    """Stands in for a game's check of melds; it knows one rule: three cards make a meld."""
    melds = [meld.split() for meld in request.GET.get("text", "").split(" / ")]
    verdicts = [
        {"ok": True, "say": f"{len(cards)} cards"} if len(cards) >= 3 else {"ok": False, "say": "needs three cards"}
        for cards in melds
    ]
    ok = all(verdict["ok"] for verdict in verdicts)
    say = "Every meld holds." if ok else "Not yet: each meld needs at least three cards."
    return JsonResponse({"ok": ok, "say": say, "melds": verdicts})
