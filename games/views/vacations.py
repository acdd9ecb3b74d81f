"""Vacations: the page to book days off from games over days."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounts.requests import OwnRequest
from accounts.throttle import limit_posts
from games import services
from games.models.vacation import DAYS_A_YEAR
from infra.time_zones import ZoneField

REFUSED = 422


class VacationForm(forms.Form):
    """Days off, by the clocks of a time zone."""

    first = forms.DateField(label="First day", widget=forms.DateInput(attrs={"type": "date"}))
    last = forms.DateField(label="Last day", widget=forms.DateInput(attrs={"type": "date"}))
    time_zone = ZoneField()


@limit_posts("vacations")
@login_required
def vacation(request: OwnRequest) -> HttpResponse:
    """The visitor's vacations and days left; a POST books one."""
    last = request.user.vacations.last()
    form = VacationForm(request.POST or None, initial={"time_zone": last.time_zone if last else "UTC"})
    if form.is_valid():
        try:
            services.take_vacation(user=request.user, now=timezone.now(), **form.cleaned_data)
            return redirect("games:vacation")
        except services.TableError as error:
            form.add_error(None, str(error))
    return render(request, "games/vacation.html", _context(request, form), status=REFUSED if form.is_bound else 200)


def _context(request: OwnRequest, form: VacationForm) -> dict[str, Any]:
    now = timezone.now()
    return {
        "form": form,
        "coming": request.user.vacations.filter(ends_at__gt=now),
        "days_left": max(services.days_left(request.user, now.year), 0),
        "days_a_year": DAYS_A_YEAR,
        "year": now.year,
        "section": "play",
    }


@limit_posts("vacations")
@require_POST
@login_required
def end(request: OwnRequest, pk: int) -> HttpResponse:
    """Ends the visitor's vacation, or cancels it before it has begun."""
    ended = services.end_vacation(user=request.user, vacation_id=pk, now=timezone.now())
    if ended and ended.has_begun:
        messages.success(request, "Your vacation is over. Your clock is running again where it's your turn.")
    elif ended:
        messages.success(request, "Your vacation is canceled. You have its days back.")
    return redirect("games:vacation")
