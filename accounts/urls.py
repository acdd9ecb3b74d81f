from django.contrib.auth.views import LogoutView
from django.urls import path

from accounts.views import account, api_tokens, blocks, log_in, logins, second_factor

app_name = "accounts"
urlpatterns = [
    path("", account.profile, name="profile"),
    path("sign-up/", log_in.sign_up, name="sign-up"),
    path("guest-name/", account.name_guest, name="guest-name"),
    path("login/", log_in.log_in, name="login"),
    path("login/second-step/", log_in.second_step, name="second-step"),
    path("second-factor/", second_factor.own_factors, name="second-factor"),
    path("second-factor/app/", second_factor.add_app, name="add-app"),
    path("second-factor/passkey/", second_factor.add_passkey, name="add-passkey"),
    path("second-factor/codes/", second_factor.renew_recovery_codes, name="recovery-codes"),
    path("second-factor/<id:pk>/remove/", second_factor.remove, name="remove-factor"),
    path("password/", log_in.ChangePassword.as_view(), name="password"),
    path("forgotten/", log_in.request_password_reset, name="forgotten"),
    path("forgotten/<uidb64>/<token>/", log_in.NewPassword.as_view(), name="new-password"),
    path("logins/", logins.own_logins, name="logins"),
    path("logins/<id:pk>/end/", logins.end_login, name="end-login"),
    path("everywhere/", logins.log_out_elsewhere, name="log-out-elsewhere"),
    path("blocked/", blocks.blocked_players, name="blocked"),
    path("block/", blocks.block_player, name="block"),
    path("tokens/", api_tokens.api_tokens, name="tokens"),
    path("tokens/<id:pk>/revoke/", api_tokens.revoke_api_token, name="revoke-token"),
    path("bots/", api_tokens.own_bots, name="bots"),
    path("bots/<id:pk>/token/", api_tokens.renew_bot_token, name="bot-token"),
    path("bots/<id:pk>/retire/", api_tokens.retire_bot, name="retire-bot"),
    path("export/", account.export_own_data, name="export"),
    path("close/", account.close_own_account, name="close"),
    path("logout/", LogoutView.as_view(), name="logout"),
]
