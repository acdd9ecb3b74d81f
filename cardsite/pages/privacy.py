"""Privacy page: what the site stores about people, who sees it, and how long it is kept."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.services import GUESTS_KEPT
from games.models.seek import FORGOTTEN_AFTER
from games.services.challenges import CHALLENGES_KEPT
from notifications.digest import NOTICES_KEPT, READ_NOTICES_KEPT
from notifications.webhooks import DELIVERIES_KEPT
from tournaments.services.importing import IMPORTS_KEPT


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    context = {
        "guest_days": GUESTS_KEPT.days,
        "login_days": settings.SESSION_COOKIE_AGE // (24 * 3600),
        "read_notice_days": READ_NOTICES_KEPT.days,
        "notice_days": NOTICES_KEPT.days,
        "challenge_days": CHALLENGES_KEPT.days,
        "import_days": IMPORTS_KEPT.days,
        "delivery_days": DELIVERIES_KEPT.days,
        "seek_minutes": FORGOTTEN_AFTER.seconds // 60,
    }
    return render(request, "cardsite/privacy.html", context)
