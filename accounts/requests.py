"""Types of requests and of visitors."""

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from infra.requests import HtmxRequest

Visitor = User | AnonymousUser


class OwnRequest(HtmxRequest):
    """What a view gets behind `login_required`, or once somebody has a guest's account."""

    user: User
