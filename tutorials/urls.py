from django.urls import path

from tutorials import views

app_name = "tutorials"
urlpatterns = [
    path("learn/", views.index, name="index"),
    path("learn/<slug:game>/", views.course, name="course"),
    path("learn/<slug:game>/<slug:chapter>/", views.placement, name="placement"),
    path("learn/<slug:game>/<slug:chapter>/<slug:step>/", views.step, name="step"),
    path("learn/<slug:game>/<slug:chapter>/<slug:step>/check/", views.check, name="check"),
    path("rules/", views.rule_books, name="rule-books"),
    path("rules/coverage/", views.coverage, name="coverage"),
    path("rules/<slug:game>/", views.rule_book, name="rule-book"),
]
