"""Request types: a visitor, and a request of a user who is logged in."""

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from infra.requests import HtmxRequest

Visitor = User | AnonymousUser


class OwnRequest(HtmxRequest):
    """The request behind `login_required`, or after `ensure_person`."""

    user: User
