from django.urls import path

from notifications import views

app_name = "notifications"

urlpatterns = [
    path("notices/", views.notice_list, name="index"),
    path("notices/banner/", views.notice_banner, name="banner"),
    path("notices/stream/", views.notice_stream, name="stream"),
    path("notices/read/", views.mark_notices_read, name="read"),
    path("notices/<id:pk>/", views.open_notice, name="go"),
    path("notices/settings/", views.notification_settings, name="settings"),
    path("notices/mail/", views.request_confirmation_email, name="ask-for-mail"),
    path("notices/mail/turns/", views.choose_turn_emails, name="choose-turns"),
    path("notices/mail/end/", views.stop_all_email, name="end-mail"),
    path("notices/mail/confirm/<str:token>/", views.confirm_email_address, name="confirm-mail"),
    path("notices/mail/stop/<str:token>/", views.unsubscribe_from_email, name="stop-mail"),
    path("notices/push/", views.subscribe_to_push, name="subscribe"),
    path("notices/push/<id:pk>/end/", views.unsubscribe_from_push, name="unsubscribe"),
    path("notices/webhooks/", views.own_webhooks, name="webhooks"),
    path("notices/webhooks/<id:pk>/", views.webhook_details, name="webhook"),
    path("notices/webhooks/<id:pk>/switch/", views.switch_webhook, name="switch-webhook"),
    path("notices/webhooks/<id:pk>/test/", views.test_webhook, name="test-webhook"),
    path("notices/webhooks/<id:pk>/delete/", views.delete_webhook, name="delete-webhook"),
    path("notices/webhooks/deliveries/<id:pk>/repeat/", views.redeliver_webhook, name="redeliver-webhook"),
]
