"""Pages: the list of notices, the banner on every page, notification settings, push subscriptions, webhooks."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from accounts.devices import browser_name
from accounts.requests import OwnRequest
from accounts.throttle import limit_posts
from accounts.views.access import for_accounts
from games import live
from infra.next_url import next_url
from infra.numbers import read_number
from infra.requests import HtmxRequest
from infra.task_queue import enqueue
from notifications import email, services, web_push, webhooks
from notifications.forms import AddressForm, NewWebhookForm, PushForm, TurnEmailsForm
from notifications.models import MailAddress, Notice, PushSubscription, WebhookDelivery

NOTICES_LISTED, DELIVERIES_LISTED = 50, 50
NO_CONTENT = 204  # also tells an event source not to come back

# Notices


@require_GET
@login_required
def notice_list(request: OwnRequest) -> HttpResponse:
    return render(request, "notifications/notice_list.html", {"notices": request.user.notices.all()[:NOTICES_LISTED]})


@require_GET
def notice_banner(request: HtmxRequest) -> HttpResponse:
    """The part of every page that shows new notices."""
    if not request.user.is_authenticated:
        return HttpResponse(status=NO_CONTENT)
    here = request.htmx.current_url_abs_path or ""
    own_notices = services.unread_notices(request.user, here=here.partition("?")[0])
    return render(request, "notifications/_new_notices.html", {"own_notices": own_notices, "oob": True})


@require_GET
def notice_stream(request: HttpRequest) -> HttpResponseBase:
    """Event stream for pages without one of their own; one tab of a browser listens for all."""
    if not request.user.is_authenticated:
        return HttpResponse(status=NO_CONTENT)
    newest = request.user.notices.values_list("pk", flat=True)
    return live.respond(request, live.own_channel(request.user.pk), lambda: newest.first() or 0)


@require_GET
@login_required
def open_notice(request: OwnRequest, pk: int) -> HttpResponse:
    """Marks a notice as read and redirects to its page."""
    notice = get_object_or_404(Notice, pk=pk, user=request.user)
    services.mark_read(request.user, [notice.pk])
    return redirect(notice.url)


@require_POST
@login_required
def mark_notices_read(request: OwnRequest) -> HttpResponse:
    """Marks `notice` as read, or all without one. Redirects back, or returns the banner to a script."""
    named = request.POST.get("notice", "")
    services.mark_read(request.user, [read_number(named, 0)] if named else None)
    if request.htmx:
        return render(request, "notifications/_new_notices.html", {"oob": True})
    return redirect(next_url(request) or "notifications:index")


# Settings


@require_GET
@login_required
def notification_settings(request: OwnRequest) -> HttpResponse:
    return render_notification_settings(request, AddressForm(initial={"address": request.user.email}))


def render_notification_settings(
    request: OwnRequest, form: AddressForm, turns_form: TurnEmailsForm | None = None, *, status: int = 200
) -> HttpResponse:
    mail = MailAddress.objects.filter(user=request.user).first()
    context = {
        "form": form,
        "mail": mail,
        "turns_form": turns_form or (TurnEmailsForm(instance=mail) if mail else None),
        "browsers": request.user.push_subscriptions.all(),
        "push_key": web_push.vapid_public_key(),
    }
    return render(request, "notifications/settings.html", context, status=status)


@limit_posts("address-confirmations")
@require_POST
@login_required
def request_confirmation_email(request: OwnRequest) -> HttpResponse:
    form = AddressForm(request.POST)
    if not form.is_valid() or request.user.is_guest:
        return render_notification_settings(request, form, status=422)
    address = form.cleaned_data["address"]
    site = request.build_absolute_uri("/").rstrip("/")
    enqueue("notifications.tasks.mail_confirmation", request.user.pk, address, site)
    messages.success(request, f"We've sent an e-mail to {address}. Open the link in it to get notifications there.")
    return redirect("notifications:settings")


@require_POST
@login_required
def choose_turn_emails(request: OwnRequest) -> HttpResponse:
    form = TurnEmailsForm(request.POST, instance=get_object_or_404(MailAddress, user=request.user))
    if not form.is_valid():
        return render_notification_settings(
            request, AddressForm(initial={"address": request.user.email}), form, status=422
        )
    form.save()
    messages.success(request, "Your settings are saved.")
    return redirect("notifications:settings")


@require_POST
@login_required
def stop_all_email(request: OwnRequest) -> HttpResponse:
    MailAddress.objects.filter(user=request.user).delete()
    messages.success(request, "E-mails are turned off.")
    return redirect("notifications:settings")


def confirm_email_address(request: HttpRequest, token: str) -> HttpResponse:
    """The link of a confirmation e-mail. Mail scanners open links, too, so the page has a button."""
    confirmation, is_used = email.read_confirmation_token(token), email.is_confirmation_used(token)
    is_asked = request.method == "POST" and not is_used
    if confirmation and is_asked and not email.use_confirmation_token(token, confirmation):
        confirmation = None
    context = {"confirmation": confirmation, "is_used": is_used, "done": confirmation is not None and is_asked}
    return render(request, "notifications/confirm_email.html", context)


@csrf_exempt
def unsubscribe_from_email(request: HttpRequest, token: str) -> HttpResponse:
    """The unsubscribe link of an e-mail; mail programs post here by themselves (RFC 8058)."""
    user_id = email.read_unsubscribe_token(token)
    done = user_id is not None and request.method == "POST"
    if user_id is not None and done:
        email.unsubscribe_email(user_id)
    return render(request, "notifications/unsubscribe.html", {"done": done, "is_damaged": user_id is None})


@require_POST
@login_required
def subscribe_to_push(request: OwnRequest) -> HttpResponse:
    form = PushForm(request.POST)
    if form.is_valid():
        data = dict(form.cleaned_data)
        chosen = {"user": request.user, "browser": browser_name(request.headers.get("User-Agent", "")), **data}
        PushSubscription.objects.update_or_create(endpoint=data["endpoint"], defaults=chosen)
        messages.success(request, "This browser now shows notifications, even when the site is closed.")
    else:
        messages.error(request, "The site doesn't support this browser's push service. Nothing was changed.")
    return redirect("notifications:settings")


@require_POST
@login_required
def unsubscribe_from_push(request: OwnRequest, pk: int) -> HttpResponse:
    get_object_or_404(PushSubscription, pk=pk, user=request.user).delete()
    return redirect("notifications:settings")


# Webhooks


@never_cache
@limit_posts("webhooks")
@for_accounts
def own_webhooks(request: OwnRequest) -> HttpResponse:
    """The visitor's webhooks. A POST makes one; its secret is shown once, in the answer."""
    form, secret = NewWebhookForm(request.POST or None), ""
    if form.is_valid():
        site = request.build_absolute_uri("/").rstrip("/")
        try:
            _, secret = webhooks.make_webhook(user=request.user, site=site, **form.cleaned_data)
            form = NewWebhookForm()
        except webhooks.WebhookRefused as error:
            form.add_error("url", str(error))
    context = {"form": form, "secret": secret, "webhooks": request.user.webhooks.all(), "most": webhooks.MOST_WEBHOOKS}
    return render(request, "notifications/webhooks.html", context, status=422 if form.errors else 200)


@require_GET
@for_accounts
def webhook_details(request: OwnRequest, pk: int) -> HttpResponse:
    """A webhook and the log of its last deliveries."""
    hook = get_object_or_404(request.user.webhooks, pk=pk)
    context = {
        "hook": hook,
        "kinds": [webhooks.KINDS.get(kind, kind) for kind in hook.kinds],
        "deliveries": hook.deliveries.all()[:DELIVERIES_LISTED],
        "kept": webhooks.DELIVERIES_KEPT.days,
    }
    return render(request, "notifications/webhook.html", context)


@require_POST
@for_accounts
def switch_webhook(request: OwnRequest, pk: int) -> HttpResponse:
    """Turns a webhook on, or off if the form says so, however often it is sent."""
    hook = get_object_or_404(request.user.webhooks, pk=pk)
    if "off" in request.POST:
        webhooks.turn_off(hook)
        messages.success(request, "The webhook is off.")
    else:
        webhooks.turn_on(hook)
        messages.success(request, "The webhook is on.")
    return redirect(hook)


@require_POST
@limit_posts("webhooks")
@for_accounts
def test_webhook(request: OwnRequest, pk: int) -> HttpResponse:
    """Sends a message of the kind "test"."""
    hook = get_object_or_404(request.user.webhooks, pk=pk)
    try:
        webhooks.send_test(hook)
        messages.success(request, "A test message is on its way. Reload this page to see the answer.")
    except webhooks.WebhookRefused as error:
        messages.error(request, str(error))
    return redirect(hook)


@require_POST
@for_accounts
def delete_webhook(request: OwnRequest, pk: int) -> HttpResponse:
    get_object_or_404(request.user.webhooks, pk=pk).delete()
    messages.success(request, "The webhook is deleted.")
    return redirect("notifications:webhooks")


@require_POST
@limit_posts("webhooks")
@for_accounts
def redeliver_webhook(request: OwnRequest, pk: int) -> HttpResponse:
    """Sends a message of the log once more."""
    delivery = get_object_or_404(WebhookDelivery, pk=pk, webhook__user=request.user)
    if delivery.webhook.is_on:
        webhooks.redeliver(delivery)
        messages.success(request, "The message is sent again. Reload this page to see the answer.")
    else:
        messages.error(request, "This webhook is off. Turn it on first.")
    return redirect(delivery.webhook)
