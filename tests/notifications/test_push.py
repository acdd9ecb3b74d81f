"""Web Push, with a push service of the test's own."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import timedelta

import http_ece
import pytest
from celery.exceptions import Retry
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from django.test import Client
from django.utils import timezone
from pywebpush import WebPushException

from accounts.models import User
from notifications import services, tasks, web_push
from notifications.models import FRESH_FOR, Notice, PushSubscription


@pytest.fixture
def as_ann(ann) -> Client:
    browser = Client(headers={"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"})
    browser.force_login(ann)
    return browser


@pytest.fixture
def subscription(ann, push_service, browser_keys) -> PushSubscription:
    return PushSubscription.objects.create(
        user=ann, endpoint=f"{push_service.origin}/send/1", p256dh=browser_keys.p256dh, auth=browser_keys.auth
    )


@pytest.fixture
def notice(ann) -> Notice:
    return Notice.objects.create(user=ann, key="event:1:start", text="The cup starts now.", url="/tournaments/1/")


def decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def test_the_browser_can_read_what_was_pushed_and_nobody_else(notice, subscription, push_service, browser_keys):
    tasks.push_notice(notice.pk, subscription.pk)
    [(headers, body)] = push_service.got
    assert b"cup" not in body
    text = http_ece.decrypt(body, private_key=browser_keys.key, auth_secret=browser_keys.secret)
    message = json.loads(text)
    assert message == {"text": "The cup starts now.", "url": f"/notices/{notice.pk}/", "tag": "event:1:start"}
    assert headers["content-encoding"] == "aes128gcm"
    assert int(headers["ttl"]) == FRESH_FOR.total_seconds()


def test_the_push_service_can_check_who_sent_it(notice, subscription, push_service):
    tasks.push_notice(notice.pk, subscription.pk)
    scheme, _, fields = push_service.got[0][0]["authorization"].partition(" ")
    given = dict(part.strip().split("=", 1) for part in fields.split(","))
    assert (scheme, given["k"]) == ("vapid", web_push.vapid_public_key())
    signed, _, signature = given["t"].rpartition(".")
    r, s = (int.from_bytes(half) for half in (decoded(signature)[:32], decoded(signature)[32:]))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(given["k"]))
    key.verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(SHA256()))  # raises if it is wrong
    assert json.loads(decoded(signed.split(".")[1]))["aud"] == push_service.origin


def test_the_key_of_the_site_stays_the_same_as_long_as_its_secret(settings):
    first = web_push.vapid_public_key()
    assert (web_push.vapid_public_key(), len(decoded(first))) == (first, 65)
    settings.SECRET_KEY = "another one"
    assert web_push.vapid_public_key() != first


@pytest.mark.parametrize("status", [403, 404, 410])
def test_a_subscription_that_has_ended_is_removed(notice, subscription, push_service, status):
    push_service.status = status
    tasks.push_notice(notice.pk, subscription.pk)
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize("status", [429, 503])
def test_a_service_that_is_busy_is_asked_again(notice, subscription, push_service, status, eager_tasks):
    push_service.status = status
    with pytest.raises(Retry, match=f"answered {status}"):
        tasks.push_notice.delay(notice.pk, subscription.pk)
    assert PushSubscription.objects.exists()


def test_a_message_that_is_refused_for_good_is_not_sent_again(notice, subscription, push_service, eager_tasks):
    push_service.status = 413
    with pytest.raises(WebPushException):
        tasks.push_notice.delay(notice.pk, subscription.pk)
    assert len(push_service.got) == 1


def test_what_was_read_or_is_old_is_not_pushed(notice, subscription, push_service):
    Notice.objects.update(read_at=timezone.now())
    tasks.push_notice(notice.pk, subscription.pk)
    Notice.objects.update(read_at=None, created_at=timezone.now() - FRESH_FOR - timedelta(seconds=1))
    tasks.push_notice(notice.pk, subscription.pk)
    assert push_service.got == []


def test_telling_somebody_pushes_to_all_his_browsers(
    ann, subscription, push_service, browser_keys, eager_tasks, django_capture_on_commit_callbacks
):
    other = {"endpoint": f"{push_service.origin}/send/2", "p256dh": browser_keys.p256dh, "auth": browser_keys.auth}
    PushSubscription.objects.create(user=ann, **other)
    PushSubscription.objects.create(user=User.objects.create(username="bob"), **other | {"endpoint": "https://else"})
    for _ in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            services.notify(ann, key="event:1:start", text="The cup starts now.", url="/tournaments/1/")
    assert len(push_service.got) == 2


# Subscribing


def given(push_service, browser_keys, **changes: str) -> dict[str, str]:
    keys = {"p256dh": browser_keys.p256dh, "auth": browser_keys.auth}
    return {"endpoint": f"{push_service.origin}/send/1", **keys, **changes}


def test_a_browser_that_subscribes_again_for_somebody_else_is_his(as_ann, push_service, browser_keys):
    bob = User.objects.create(username="bob")
    as_bob = Client()
    as_bob.force_login(bob)
    for browser in (as_bob, as_ann):
        browser.post("/notices/push/", given(push_service, browser_keys))
    found = PushSubscription.objects.get()
    assert (found.user.username, found.browser) == ("ann", "Firefox")


BAD = urlsafe_b64encode(b"\x04" + bytes(64)).decode()


@pytest.mark.only_on("sqlite")
@pytest.mark.parametrize(
    "changes",
    [
        {"endpoint": "http://127.0.0.1:1/"},
        {"endpoint": "file:///etc/passwd"},
        {"endpoint": "https://[::1"},
        {"p256dh": BAD},
        {"auth": "c2hvcnQ"},
        {"auth": "ä"},
    ],
)
def test_what_cannot_be_a_subscription_is_not_kept(as_ann, push_service, browser_keys, changes):
    answer = as_ann.post("/notices/push/", given(push_service, browser_keys, **changes), follow=True)
    assert "Nothing was changed" in answer.content.decode()
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize(
    ("endpoint", "is_known"),
    [
        ("https://fcm.googleapis.com/fcm/send/abc", True),
        ("https://updates.push.services.mozilla.com/wpush/v2/abc", True),
        ("https://web.push.apple.com/abc", True),
        ("https://wns2-par02p.notify.windows.com/w/?token=abc", True),
        ("http://fcm.googleapis.com/fcm/send/abc", False),
        ("https://fcm.googleapis.com:8443/", False),
        ("https://fcm.googleapis.com@127.0.0.1/", False),
        ("https://127.0.0.1/.push.apple.com", False),
        ("https://127.0.0.1\\.push.apple.com/", False),
        ("https://push.apple.com.elsewhere.example/", False),
    ],
)
def test_the_site_calls_push_services_and_nobody_else(endpoint, is_known):
    assert web_push.is_push_service(endpoint) == is_known


def test_a_browser_is_taken_off_the_list_by_its_owner_only(as_ann, subscription):
    stranger = Client()
    stranger.force_login(User.objects.create(username="bob"))
    assert stranger.post(f"/notices/push/{subscription.pk}/end/").status_code == 404
    as_ann.post(f"/notices/push/{subscription.pk}/end/")
    assert not PushSubscription.objects.exists()
