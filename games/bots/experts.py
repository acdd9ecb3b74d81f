"""The expert of each game: what it searches with, and how much.

Most search with `games.bots.search`: the strong bot advises, and a quick player plays sampled worlds on. In Piquet,
Casino, Cuarenta, Gin Rummy and Cribbage the strong bot is a search already, and the expert does more of it; in
Sixty-Six the expert searches a tree (`games.bots.tree`). Where more search gains nothing, the expert has an aim of its
own: in Tabletop Cribbage it plays for the target, in Vatican it waits until its whole hand fits. The budgets keep a
move below two seconds of processor time; `manage.py botmatch --levels expert strong` prints the time that it takes.
"""

from games.bots import (
    Bot,
    advantage,
    bot,
    carousel,
    casino,
    cuarenta,
    gin_rummy,
    krambambuli,
    partnership_cribbage,
    piquet,
    push,
    russian_bank,
    shanghai,
    sixty_six,
    tabletop_cribbage,
    vatican,
)
from games.bots.search import Expert
from games.bots.tree import TreeSearch
from games.engines.advantage.game import ADVANTAGE
from games.engines.carousel.game import CAROUSEL
from games.engines.casino.game import CASINO
from games.engines.cuarenta.game import CUARENTA
from games.engines.four_hand_cuarenta import FOUR_HAND_CUARENTA
from games.engines.krambambuli.game import KRAMBAMBULI
from games.engines.push.game import PUSH_GAME
from games.engines.royal_casino import ROYAL_CASINO
from games.engines.russian_bank.game import RUSSIAN_BANK
from games.engines.shanghai import SHANGHAI
from games.engines.sixty_six.game import SIXTY_SIX

_PIQUET = piquet.Strong(exchanges=20, deals=160, worlds=160)
_RUSSIAN_BANK = russian_bank.Strong()
_SHANGHAI = shanghai.Strong()

EXPERTS: dict[str, Bot] = {
    "advantage": Expert(ADVANTAGE, advantage.Strong(), advantage.Club(), effort=8000),
    "carousel": Expert(CAROUSEL, carousel.Strong(), bot("carousel", "club"), effort=6000, candidates=6),
    "casino": casino.Strong(CASINO, worlds=240).search,
    "cuarenta": cuarenta.Strong(CUARENTA, worlds=400).search,
    "four-hand-cuarenta": cuarenta.Strong(FOUR_HAND_CUARENTA, worlds=200).search,
    "gin-rummy": gin_rummy.Strong(worlds=600, trust=600),
    "krambambuli": Expert(KRAMBAMBULI, krambambuli.Strong(), bot("krambambuli", "club"), effort=5000),
    "partnership-cribbage": partnership_cribbage.Strong(deals=3000),
    "piquet": _PIQUET,
    "push": Expert(PUSH_GAME, push.Strong(), push.Club(), effort=2500),
    "royal-casino": casino.Strong(ROYAL_CASINO, worlds=240).search,
    "rubicon-piquet": _PIQUET,
    "russian-bank": Expert(
        RUSSIAN_BANK, _RUSSIAN_BANK, _RUSSIAN_BANK, worlds=150, candidates=6, moves_of=russian_bank.worth_trying
    ),
    "shanghai": Expert(SHANGHAI, _SHANGHAI, _SHANGHAI, effort=1500, candidates=4),
    "sixty-six": TreeSearch(
        SIXTY_SIX,
        sixty_six.Strong(),
        sixty_six.worth_trying,
        sixty_six.sensible_moves,
        sixty_six.gain_of_hand,
        tries=4000,
        curiosity=4.0,
    ),
    "tabletop-cribbage": tabletop_cribbage.Racer(),
    "vatican": vatican.Patient(),
}
