from django.contrib import admin
from django.urls import include, path

from cardsite import health, login_link

urlpatterns = [
    path("accounts/", include("cardsite.accounts.urls")),
    path("learn/", include("tutorials.urls")),
    path("events/", include("tournaments.urls")),
    path("admin/", admin.site.urls),
    path("healthz", health.view, name="health"),
    path("login-link/<str:token>/", login_link.view, name="login-link"),
    path("", include("games.urls")),
]
