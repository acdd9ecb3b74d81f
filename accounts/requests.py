"""Types of requests of people who are logged in."""

from accounts.models import User
from infra.requests import HtmxRequest


class OwnRequest(HtmxRequest):
    """What a view gets behind `login_required`, or once somebody has a guest's account."""

    user: User
