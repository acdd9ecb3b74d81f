"""Pages of blocked users: the list, and blocking or unblocking one."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from accounts import blocking
from accounts.models import User
from accounts.requests import OwnRequest
from accounts.throttle import limit_posts
from infra.next_url import next_url


@login_required
def blocked_players(request: OwnRequest) -> HttpResponse:
    """The users that the visitor has blocked."""
    return render(request, "accounts/blocked.html", {"blocked": blocking.users_blocked_by(request.user)})


@limit_posts("blocks")
@require_POST
@login_required
def block_player(request: OwnRequest) -> HttpResponse:
    """Blocks `player`, or unblocks with `off`."""
    other = get_object_or_404(User, username=request.POST.get("player", ""))
    if "off" in request.POST:
        blocking.unblock_user(blocker=request.user, blocked=other)
        messages.success(request, f"You have unblocked {other}.")
    else:
        try:
            blocking.block_user(blocker=request.user, blocked=other)
            messages.success(
                request, f"You have blocked {other}. You won't see each other's messages or challenge each other."
            )
        except ValueError as error:
            messages.error(request, str(error))
    return redirect(next_url(request) or "accounts:blocked")
