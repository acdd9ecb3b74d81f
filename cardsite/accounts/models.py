from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """Someone who plays: a person with an account, or a guest known by the session only."""

    is_guest = models.BooleanField(default=False)
