from django.urls import URLPattern

app_name = "tutorials"
urlpatterns: list[URLPattern] = []
