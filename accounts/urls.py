from django.contrib.auth.views import LogoutView, PasswordResetConfirmView
from django.urls import path, reverse_lazy

from accounts import views
from accounts.forms import ResetPasswordForm

app_name = "accounts"
urlpatterns = [
    path("", views.profile, name="profile"),
    path("sign-up/", views.sign_up, name="sign-up"),
    path("login/", views.log_in, name="login"),
    path("password/", views.ChangePassword.as_view(), name="password"),
    path("forgotten/", views.request_password_reset, name="forgotten"),
    path(
        "forgotten/<uidb64>/<token>/",
        PasswordResetConfirmView.as_view(
            form_class=ResetPasswordForm,
            template_name="accounts/reset_password.html",
            success_url=reverse_lazy("accounts:profile"),
            post_reset_login=True,
        ),
        name="new-password",
    ),
    path("everywhere/", views.log_out_elsewhere, name="log-out-elsewhere"),
    path("blocked/", views.blocked_players, name="blocked"),
    path("block/", views.block_player, name="block"),
    path("tokens/", views.api_tokens, name="tokens"),
    path("tokens/<id:pk>/revoke/", views.revoke_api_token, name="revoke-token"),
    path("bots/", views.own_bots, name="bots"),
    path("bots/<id:pk>/token/", views.renew_bot_token, name="bot-token"),
    path("bots/<id:pk>/retire/", views.retire_bot, name="retire-bot"),
    path("export/", views.export_own_data, name="export"),
    path("close/", views.close_own_account, name="close"),
    path("logout/", LogoutView.as_view(), name="logout"),
]
