"""Pages of rule books and of their coverage of the sources."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from games import engines
from games.presentation.game_list import LISTED_GAMES
from tutorials import reviews, typeset
from tutorials.content import coverage as sources
from tutorials.content import library
from tutorials.rule_search import find_rules

MOST_RULES = 20


@require_GET
def rule_book_list(request: HttpRequest) -> HttpResponse:
    """`?q=` searches all rule books, with `?game=` that of one game."""
    found = library.load_rule_books()
    books = [(entry, found[entry.game.slug]) for entry in LISTED_GAMES if entry.game.slug in found]
    question, slug = request.GET.get("q", "").strip(), request.GET.get("game", "")
    within = engines.get(slug) if slug in found else None
    slugs = [slug] if within else [entry.game.slug for entry, _ in books]
    context = {
        "books": books,
        "q": question,
        "within": within,
        "label": f"Search the rules of {within.name}" if within else "Search all rule books",
        "matches": find_rules(question, slugs, most=MOST_RULES) if question else None,
        "section": "learn",
    }
    return render(request, "tutorials/rule_books.html", context)


@require_GET
def coverage_page(request: HttpRequest) -> HttpResponse:
    """Every statement of the source documents with the rules, tests and lessons that keep it."""
    return render(request, "tutorials/coverage.html", {"games": sources.coverage_of_all_games(), "section": "learn"})


@require_GET
def rule_book_page(request: HttpRequest, game: str) -> HttpResponse:
    """The rule book, with the visitor's progress beside each rule."""
    if game not in library.games_with("rules.md"):
        raise Http404(f"There is no rule book for {game!r}.")
    states = reviews.rule_states(request.user, game, now=timezone.now())
    sections = [
        (section, [(paragraph, states.get(paragraph.rule.id, "")) for paragraph in paragraphs])
        for section, paragraphs in typeset.typeset_sections(game)
    ]
    return render(
        request,
        "tutorials/rule_book.html",
        {
            "game": engines.get(game),
            "book": library.load_rule_book(game),
            "sections": sections,
            "has_course": game in library.games_with("lessons.yaml"),
            "section": "learn",
        },
    )
