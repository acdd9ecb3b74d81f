"""House bots: the site's own bots of each game, made as they are needed."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import count as numbers
from itertools import islice, product

from django.db import transaction
from django.db.models import Case, Q, QuerySet, When

from accounts.models import User
from games.models import HouseBot

HOUSE_BOT_NAMES = {  # each level has its own; the first five are the players of the lessons
    "first-steps": ("Pip", "Dot", "Kit", "Fay", "Ned", "Nob", "Crib", "Talon", "Widow"),
    "club": ("Tierce", "Quart", "Quint", "Kitty", "Bower", "Stringer", "Ruff", "Marker"),
    "strong": ("Spadille", "Manille", "Basto", "Matador", "Tenace", "Capot", "Repique", "Quinola"),
    "expert": ("Hoyle", "Cavendish", "Pole", "Clay", "Cotton", "Seymour", "Berkeley", "Cardano"),
}

# Names that mean something else at a table of these games: `Tierce says "Quart"`.
PIQUET_TERMS = ("Talon", "Tierce", "Quart", "Quint", "Capot", "Repique")
CRIBBAGE_TERMS = ("Crib", "Nob")
TERMS = {
    "piquet": PIQUET_TERMS,
    "rubicon-piquet": PIQUET_TERMS,
    "partnership-cribbage": CRIBBAGE_TERMS,
    "tabletop-cribbage": CRIBBAGE_TERMS,
}

EPITHETS = ("Old", "Young", "Merry", "Quick", "Silent", "Lucky", "Clever", "Tall", "Red", "Blue")


def pick_house_bots(*, game: str, levels: Sequence[str], count: int, without: Iterable[int] = ()) -> list[User]:
    """Picks a number of bots of a game: at random from the first level, then from the next ones.

    Where there are too few, more of the first level are made. without: ids of users who must not be picked.
    """
    there = HouseBot.objects.filter(game=game, level__in=levels).exclude(user__in=without)
    known = sorted(best_named_first(there, game), key=lambda bot: levels.index(bot.level))
    found = [bot.user for bot in known[:count]]
    return found + make_house_bots(game, levels[0], _free_names(game, levels[0], count - len(found)))


def best_named_first(bots: QuerySet[HouseBot], game: str, *, wanted: str = "") -> QuerySet[HouseBot]:
    """In random order, but one of the wanted name first, and those named after a term of the game last."""
    is_term = Q(pk__in=[])
    for term in TERMS.get(game, ()):
        is_term |= Q(user__first_name__endswith=term)
    place = Case(When(user__first_name=wanted, then=0), When(is_term, then=2), default=1)
    return bots.select_related("user").order_by(place, "?")


def names_at(game: str, level: str) -> list[str]:
    """The names of bots of a level at a game, without terms of that game."""
    return [name for name in HOUSE_BOT_NAMES[level] if name not in TERMS.get(game, ())]


@transaction.atomic
def make_house_bots(game: str, level: str, names: Sequence[str]) -> list[User]:
    """The bots with these names, made where they are missing; safe to call in several processes at once."""
    usernames = [f"bot-{game}-{name.lower().replace(' ', '-')}" for name in names]
    User.objects.bulk_create(
        (
            User(username=username, first_name=name, is_bot=True, password="!")
            for username, name in zip(usernames, names, strict=True)
        ),
        ignore_conflicts=True,
    )
    users = list(User.objects.filter(username__in=usernames))
    HouseBot.objects.bulk_create((HouseBot(user=user, game=game, level=level) for user in users), ignore_conflicts=True)
    return users


def _free_names(game: str, level: str, count: int) -> list[str]:
    taken = set(HouseBot.objects.filter(game=game, level=level).values_list("user__first_name", flat=True))
    return list(islice((name for name in _names(game, level) if name not in taken), count))


def _names(game: str, level: str) -> Iterator[str]:
    """An endless series of names: those of the level, then with one epithet, "Old Pip", then with two."""
    for count in numbers():
        for epithets in product(EPITHETS, repeat=count):
            yield from (" ".join((*epithets, name)) for name in names_at(game, level))
