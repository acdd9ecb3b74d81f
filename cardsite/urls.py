from django.contrib import admin
from django.urls import include, path

from cardsite import health, login_link, pages, preferences

urlpatterns = [
    path("", pages.home, name="home"),
    path("accounts/", include("cardsite.accounts.urls")),
    path("learn/", include("tutorials.urls")),
    path("events/", include("tournaments.urls")),
    path("admin/", admin.site.urls),
    path("healthz", health.view, name="health"),
    path("login-link/<str:token>/", login_link.view, name="login-link"),
    path("preferences/", preferences.save, name="preferences"),
    path("style/", pages.style, name="style"),
    path("style/casino/", pages.style_casino, name="style-casino"),
    path("style/vatican/", pages.style_vatican, name="style-vatican"),
    path("style/vatican/check/", pages.style_check, name="style-check"),
    path("", include("games.urls")),
]
