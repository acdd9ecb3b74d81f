from django.urls import path

from tutorials.views import course_tests, courses, lessons, puzzles, reviews, rule_books

app_name = "tutorials"
urlpatterns = [
    path("learn/", courses.course_list, name="index"),
    path("learn/review/", reviews.review_page, name="review"),
    path("learn/<slug:game>/", courses.course_page, name="course"),
    path("learn/<slug:game>/test/", course_tests.course_test, name="test"),
    path("learn/<slug:game>/<slug:chapter>/", courses.chapter_quick_test, name="placement"),
    path("learn/<slug:game>/<slug:chapter>/<slug:step>/", lessons.lesson_step, name="step"),
    path("learn/<slug:game>/<slug:chapter>/<slug:step>/play/", lessons.play_practice, name="practice"),
    path("learn/<slug:game>/<slug:chapter>/<slug:step>/check/", lessons.check_arrangement, name="check"),
    path("puzzles/", puzzles.puzzle_list, name="puzzles"),
    path("puzzles/<id:pk>/", puzzles.puzzle_page, name="puzzle"),
    path("puzzles/<id:pk>/check/", puzzles.check_arrangement, name="puzzle-check"),
    path("puzzles/<slug:game>/", puzzles.puzzle_stream, name="puzzle-stream"),
    path("rules/", rule_books.rule_book_list, name="rule-books"),
    path("rules/coverage/", rule_books.coverage_page, name="coverage"),
    path("rules/<slug:game>/", rule_books.rule_book_page, name="rule-book"),
]
