from django.contrib.auth.views import LogoutView
from django.urls import path

from cardsite.accounts import views

app_name = "accounts"
urlpatterns = [
    path("", views.profile, name="profile"),
    path("sign-up/", views.sign_up, name="sign-up"),
    path("login/", views.log_in, name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
]
