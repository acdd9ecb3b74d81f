"""No letter and no pushed message names a card: they lie about on screens and in mail boxes of other companies."""

import http_ece
import pytest
from django.core import mail
from django.core.cache import cache
from django.utils import timezone

from games import services
from games.domain.clocks import PACES
from games.models import Table
from games.tasks import tick
from notifications.digest import send_digest
from notifications.models import MailAddress, Notice, PushSubscription
from tests.games.open_cards import lasting, named, secrets_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("eager_tasks")]
SECRET = b"thirty-two bytes of which no one"


@pytest.mark.only_on("sqlite")
@pytest.mark.parametrize(
    ("game", "names"),
    [("gin-rummy", ("ann", "bob")), ("four-hand-cuarenta", ("ann", "bob", "cat", "dan"))],
)
def test_no_letter_and_no_push_names_a_card(
    game, names, table_of, play_on, person, let_pass, push_service, browser_keys
):
    for name in names:
        MailAddress.objects.create(user=person(name), address=f"{name}@x.example", site="http://x", turns="each")
        PushSubscription.objects.create(
            user=person(name),
            endpoint=f"{push_service.origin}/{name}",
            p256dh=browser_keys.p256dh,
            auth=browser_keys.auth,
        )
    table = table_of(*names, game=game, secret=SECRET, allows_agreements=True, **PACES["days-1"].fields)
    for kind in ("undo", "pause", "open", "undo"):
        table = play_on(Table.objects.with_seats().get(pk=table.pk), 2)
        cache.clear()
        for name in names:
            try:
                services.ask_question(table_id=table.pk, user=person(name), kind=kind)
            except services.TableError:
                continue
            break
    let_pass(table, 20 * 3600)
    tick()
    for address in MailAddress.objects.all():
        send_digest(address, now=timezone.now())
    services.resign(table_id=table.pk, user=person("bob"))
    kinds = {notice.key.split(":")[2] for notice in Notice.objects.filter(key__startswith="table:")}
    assert {"turn", "asked", "over" if len(names) == 2 else "found"} <= kinds
    letters = [f"{letter.message().as_string()}\n{letter.subject}\n{letter.body}" for letter in mail.outbox]
    pushed = [
        http_ece.decrypt(body, private_key=browser_keys.key, auth_secret=browser_keys.secret).decode()
        for _, body in push_service.got
    ]
    assert len(letters) > 8
    assert len(pushed) > 8
    for text in (*letters, *pushed):
        assert not named(lasting(text)), text
        assert not secrets_in(text, SECRET)
