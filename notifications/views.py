"""The list of one's notices, the banner on every page, and where else one wants to hear them."""

from pathlib import Path

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from accounts.requests import OwnRequest
from accounts.throttle import limit_posts
from games import live
from infra.next_url import next_url
from infra.numbers import read_number
from infra.requests import HtmxRequest
from infra.task_queue import enqueue
from notifications import email, services, web_push
from notifications.forms import AddressForm, PushForm, TurnsForm, browser_name
from notifications.models import MailAddress, Notice, PushSubscription

LISTED = 50
NO_CONTENT = 204  # also tells an event source not to come back

# Notices


@require_GET
@login_required
def index(request: OwnRequest) -> HttpResponse:
    return render(request, "notifications/index.html", {"notices": request.user.notices.all()[:LISTED]})


@require_GET
def banner(request: HtmxRequest) -> HttpResponse:
    """The part of every page that shows what is new."""
    if not request.user.is_authenticated:
        return HttpResponse(status=NO_CONTENT)
    here = request.htmx.current_url_abs_path or ""
    own_notices = services.unread(request.user, here=here.partition("?")[0])
    return render(request, "notifications/_news.html", {"own_notices": own_notices, "oob": True})


@require_GET
def stream(request: HttpRequest) -> HttpResponseBase:
    """For pages that have no stream of their own; one of a browser's tabs listens for all."""
    if not request.user.is_authenticated:
        return HttpResponse(status=NO_CONTENT)
    newest = request.user.notices.values_list("pk", flat=True)
    return live.respond(request, live.own_channel(request.user.pk), lambda: newest.first() or 0)


@require_GET
@login_required
def go(request: OwnRequest, pk: int) -> HttpResponse:
    """To the page that a notice is about; it is read then."""
    notice = get_object_or_404(Notice, pk=pk, user=request.user)
    services.read(request.user, [notice.pk])
    return redirect(notice.url)


@require_POST
@login_required
def read(request: OwnRequest) -> HttpResponse:
    """Marks `notice` as read, or all where none is named. The answer is the page it came from, or the banner."""
    named = request.POST.get("notice", "")
    services.read(request.user, [read_number(named, 0)] if named else None)
    if request.htmx:
        return render(request, "notifications/_news.html", {"oob": True})
    return redirect(next_url(request) or "notifications:index")


# Settings


@require_GET
@login_required
def settings(request: OwnRequest) -> HttpResponse:
    return render_settings(request, AddressForm(initial={"address": request.user.email}))


def render_settings(
    request: OwnRequest, form: AddressForm, turns_form: TurnsForm | None = None, *, status: int = 200
) -> HttpResponse:
    mail = MailAddress.objects.filter(user=request.user).first()
    context = {
        "form": form,
        "mail": mail,
        "turns_form": turns_form or (TurnsForm(instance=mail) if mail else None),
        "browsers": request.user.push_subscriptions.all(),
        "push_key": web_push.public_key(),
    }
    return render(request, "notifications/settings.html", context, status=status)


@limit_posts("first-letters", count=5, seconds=3600, accounts_too=True)
@require_POST
@login_required
def ask_for_mail(request: OwnRequest) -> HttpResponse:
    form = AddressForm(request.POST)
    if not form.is_valid() or request.user.is_guest:
        return render_settings(request, form, status=422)
    address = form.cleaned_data["address"]
    site = request.build_absolute_uri("/").rstrip("/")
    enqueue("notifications.tasks.mail_first_letter", request.user.pk, address, site)
    messages.success(request, f"A letter is on its way to {address}. Open the link in it to get notices there.")
    return redirect("notifications:settings")


@require_POST
@login_required
def choose_turns(request: OwnRequest) -> HttpResponse:
    form = TurnsForm(request.POST, instance=get_object_or_404(MailAddress, user=request.user))
    if not form.is_valid():
        return render_settings(request, AddressForm(initial={"address": request.user.email}), form, status=422)
    form.save()
    messages.success(request, "Your choice is kept.")
    return redirect("notifications:settings")


@require_POST
@login_required
def end_mail(request: OwnRequest) -> HttpResponse:
    MailAddress.objects.filter(user=request.user).delete()
    messages.success(request, "No more letters will come.")
    return redirect("notifications:settings")


def confirm_mail(request: HttpRequest, token: str) -> HttpResponse:
    """From the first letter. Programs that look into letters open links, too, so there is a button."""
    wish = email.read_token(token)
    if wish and request.method == "POST":
        email.fulfil(wish)
    done = wish is not None and request.method == "POST"
    return render(request, "notifications/confirm_mail.html", {"wish": wish, "done": done})


@csrf_exempt
def stop_mail(request: HttpRequest, token: str) -> HttpResponse:
    """From any later letter; mail programs post here by themselves (RFC 8058)."""
    done = request.method == "POST" and email.stop(token)
    return render(request, "notifications/stop_mail.html", {"done": done})


@require_POST
@login_required
def subscribe(request: OwnRequest) -> HttpResponse:
    form = PushForm(request.POST)
    if form.is_valid():
        data = dict(form.cleaned_data)
        chosen = {"user": request.user, "browser": browser_name(request.headers.get("User-Agent", "")), **data}
        PushSubscription.objects.update_or_create(endpoint=data["endpoint"], defaults=chosen)
        messages.success(request, "This browser shows notices from now on, also while the site is closed.")
    else:
        messages.error(request, "This browser's push service is unknown to the site; nothing was changed.")
    return redirect("notifications:settings")


@require_POST
@login_required
def unsubscribe(request: OwnRequest, pk: int) -> HttpResponse:
    get_object_or_404(PushSubscription, pk=pk, user=request.user).delete()
    return redirect("notifications:settings")


@require_GET
def service_worker(request: HttpRequest) -> HttpResponse:
    """At the root, since a worker sees to the pages beneath its own address only."""
    path = finders.find("notifications/sw.js")
    assert path is not None, "the script is part of this app"
    return HttpResponse(Path(path).read_bytes(), content_type="text/javascript", headers={"Cache-Control": "no-cache"})
