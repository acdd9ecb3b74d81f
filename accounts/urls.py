from django.contrib.auth.views import LogoutView, PasswordResetConfirmView
from django.urls import path, reverse_lazy

from accounts.forms import ResetPasswordForm
from accounts.views import account

app_name = "accounts"
urlpatterns = [
    path("", account.profile, name="profile"),
    path("sign-up/", account.sign_up, name="sign-up"),
    path("login/", account.log_in, name="login"),
    path("password/", account.ChangePassword.as_view(), name="password"),
    path("forgotten/", account.request_password_reset, name="forgotten"),
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
    path("everywhere/", account.log_out_elsewhere, name="log-out-elsewhere"),
    path("blocked/", account.blocked_players, name="blocked"),
    path("block/", account.block_player, name="block"),
    path("tokens/", account.api_tokens, name="tokens"),
    path("tokens/<id:pk>/revoke/", account.revoke_api_token, name="revoke-token"),
    path("bots/", account.own_bots, name="bots"),
    path("bots/<id:pk>/token/", account.renew_bot_token, name="bot-token"),
    path("bots/<id:pk>/retire/", account.retire_bot, name="retire-bot"),
    path("export/", account.export_own_data, name="export"),
    path("close/", account.close_own_account, name="close"),
    path("logout/", LogoutView.as_view(), name="logout"),
]
