from django.urls import path

from notifications import views

app_name = "notifications"

urlpatterns = [
    path("notices/", views.index, name="index"),
    path("notices/banner/", views.banner, name="banner"),
    path("notices/stream/", views.stream, name="stream"),
    path("notices/read/", views.read, name="read"),
    path("notices/<id:pk>/", views.go, name="go"),
    path("notices/settings/", views.settings, name="settings"),
    path("notices/mail/", views.ask_for_mail, name="ask-for-mail"),
    path("notices/mail/turns/", views.choose_turns, name="choose-turns"),
    path("notices/mail/end/", views.end_mail, name="end-mail"),
    path("notices/mail/confirm/<str:token>/", views.confirm_mail, name="confirm-mail"),
    path("notices/mail/stop/<str:token>/", views.stop_mail, name="stop-mail"),
    path("notices/push/", views.subscribe, name="subscribe"),
    path("notices/push/<id:pk>/end/", views.unsubscribe, name="unsubscribe"),
    path("sw.js", views.service_worker, name="service-worker"),
]
