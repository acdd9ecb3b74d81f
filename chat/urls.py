from django.urls import path

from chat import views
from chat.moderation import views as moderation_views

app_name = "chat"

urlpatterns = [
    path("tables/<slug:code>/chat/", views.chat_lines, name="lines"),
    path("tables/<slug:code>/chat/switch/", views.switch_own_chat, name="switch"),
    path("report/", views.report_player, name="report"),
    path("report/<id:pk>/", views.report_status, name="reported"),
    path("moderation/", moderation_views.open_reports, name="moderation"),
    path("moderation/hide/", moderation_views.hide_at_once, name="hide"),
    path("moderation/perfect/", moderation_views.perfect_players, name="perfect"),
    path("moderation/log/", moderation_views.moderation_log, name="log"),
    path("moderation/reports/<id:pk>/", moderation_views.decide_report, name="act"),
    path("moderation/log/<id:pk>/undo/", moderation_views.undo_decision, name="undo"),
    path("moderation/told/<id:pk>/", moderation_views.decision_notice, name="decision"),
]
