from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "cardsite.accounts"
    label = "accounts"
