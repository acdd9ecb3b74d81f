"""Settings of the tests: those of the site, with passwords that are quick to check."""

from cardsite.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
