from django.contrib import admin
from django.templatetags.static import static
from django.urls import include, path, register_converter
from django.views.generic import RedirectView

from accounts import preferences
from cardsite.api.docs import api_page, example_client
from cardsite.api.v1 import api
from cardsite.pages import embeds, home, login_link, oembed, players, privacy, share, state, style_guide, web_app
from infra.converters import IdConverter

register_converter(IdConverter, "id")  # before the apps' addresses are read

handler500 = "cardsite.web.unavailable.handler500"

urlpatterns = [
    path("", home.home, name="home"),
    path("", include("games.urls")),  # early, as most requests are for tables
    path("accounts/", include("accounts.urls")),
    path("", include("notifications.urls")),
    path("", include("chat.urls")),
    path("", include("tutorials.urls")),
    path("tournaments/", include("tournaments.urls")),
    path("admin/state/", admin.site.admin_view(state.state_page), name="state"),
    path("admin/", admin.site.urls),
    path("favicon.ico", RedirectView.as_view(url=static("cardsite/icon.svg"))),  # who asks without reading the page
    path("manifest.webmanifest", web_app.manifest, name="manifest"),
    path("sw.js", web_app.service_worker, name="service-worker"),
    path("offline/", web_app.offline, name="offline"),
    path("login-link/<str:token>/", login_link.log_in_by_link, name="login-link"),
    path("players/<str:name>/", players.player, name="player"),
    path("preferences/", preferences.save_preferences, name="preferences"),
    path("privacy/", privacy.privacy, name="privacy"),
    path("style/", style_guide.component_samples, name="style"),
    path("style/casino/", style_guide.casino_example, name="style-casino"),
    path("style/vatican/", style_guide.vatican_example, name="style-vatican"),
    path("style/vatican/check/", style_guide.check_example_melds, name="style-check"),
    path("embed/tables/<slug:code>/", embeds.replay, name="embed-replay"),
    path("embed/tournaments/<id:pk>/bracket/", embeds.bracket, name="embed-bracket"),
    path("embed/tournaments/<id:pk>/standings/", embeds.standings, name="embed-standings"),
    path("share/<slug:kind>/<slug:key>/<slug:version>.png", share.picture, name="share-picture"),
    path("oembed/", oembed.oembed, name="oembed"),
    path("api/", api_page, name="api-docs"),
    path("api/v1/", api.urls),
    path("api/<slug:stem>.py", example_client, name="api-example"),
]
