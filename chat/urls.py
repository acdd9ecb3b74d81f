from django.urls import path

from chat import views
from chat.moderation import views as moderation_views

app_name = "talk"

urlpatterns = [
    path("tables/<slug:code>/talk/", views.talk, name="talk"),
    path("tables/<slug:code>/talk/switch/", views.switch, name="switch"),
    path("report/", views.report, name="report"),
    path("report/<id:pk>/", views.reported, name="reported"),
    path("moderation/", moderation_views.moderation, name="moderation"),
    path("moderation/hide/", moderation_views.hide, name="hide"),
    path("moderation/log/", moderation_views.log, name="log"),
    path("moderation/reports/<id:pk>/", moderation_views.act, name="act"),
    path("moderation/log/<id:pk>/undo/", moderation_views.undo, name="undo"),
    path("moderation/told/<id:pk>/", moderation_views.told, name="told"),
]
