from django.urls import path

from tournaments import feed_views, league_views, planning_views, views

app_name = "tournaments"

urlpatterns = [
    path("", views.index, name="index"),
    path("calendar/", views.calendar, name="calendar"),
    path("stream/", views.calendar_stream, name="calendar-stream"),
    path("new/", planning_views.new_event, name="new"),
    path("new/estimate/", planning_views.estimate, name="estimate"),
    path("leagues/", league_views.leagues, name="leagues"),
    path("leagues/<int:pk>/", league_views.league, name="league"),
    path("leagues/nights/<int:pk>/", league_views.night, name="league-night"),
    path("leagues/nights/<int:pk>/live/", league_views.night_live, name="league-night-live"),
    path("leagues/nights/<int:pk>/stream/", league_views.night_stream, name="league-night-stream"),
    path("leagues/replay/", league_views.replay, name="league-replay"),
    path("feeds/", feed_views.index, name="feeds"),
    path("feeds/all.ics", feed_views.everything, name="feed-all"),
    path("feeds/games/<slug:slug>.ics", feed_views.game, name="feed-game"),
    path("feeds/series/<int:pk>.ics", feed_views.series, name="feed-series"),
    path("feeds/events/<int:pk>.ics", feed_views.event, name="feed-event"),
    path("feeds/own/<str:token>.ics", feed_views.own, name="feed-own"),
    path("feeds/own/renew/", feed_views.renew, name="renew-feed"),
    path("feeds/own/end/", feed_views.revoke, name="revoke-feed"),
    path("<int:pk>/", views.event, name="event"),
    path("<int:pk>/live/", views.event_live, name="live"),
    path("<int:pk>/stream/", views.event_stream, name="stream"),
    path("<int:pk>/enter/", views.enter, name="enter"),
    path("<int:pk>/check-in/", views.check_in, name="check-in"),
    path("<int:pk>/withdraw/", views.withdraw, name="withdraw"),
    path("<int:pk>/console/", views.console, name="console"),
    path("<int:pk>/edit/", planning_views.edit_event, name="edit"),
    path("<int:pk>/dry-run/", planning_views.dry_run, name="dry-run"),
    path("<int:pk>/cancel/", views.cancel, name="cancel"),
    path("<int:pk>/entries/", views.add_entry, name="add-entry"),
    path("<int:pk>/entries/<int:entry_id>/remove/", views.remove_entry, name="remove-entry"),
]
