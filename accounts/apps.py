"""Accounts: app settings."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from accounts.logins import note_log_in

        user_logged_in.connect(note_log_in)
