from django.urls import path

from tutorials import views

app_name = "tutorials"
urlpatterns = [
    path("learn/", views.course_list, name="index"),
    path("learn/<slug:game>/", views.course_page, name="course"),
    path("learn/<slug:game>/<slug:chapter>/", views.chapter_quick_test, name="placement"),
    path("learn/<slug:game>/<slug:chapter>/<slug:step>/", views.lesson_step, name="step"),
    path("learn/<slug:game>/<slug:chapter>/<slug:step>/check/", views.check_arrangement, name="check"),
    path("rules/", views.rule_book_list, name="rule-books"),
    path("rules/coverage/", views.coverage_page, name="coverage"),
    path("rules/<slug:game>/", views.rule_book_page, name="rule-book"),
]
