"""A lesson in a game whose turns are arrangements: the workbench stands in it, and goals decide."""

import pytest
import yaml

from tests.pages import page_html
from tests.tutorials.samples import QUESTION
from tutorials.content import library
from tutorials.models import LessonProgress

pytestmark = pytest.mark.django_db

URL = "/learn/vatican/one/take-a-seven/"
STEP = {
    "id": "take-a-seven",
    "title": "Take a seven",
    "rules": ["rearrange"],
    "say": "Four sevens, and you hold five and six of spades.",
    "position": {
        "to_move": 0,
        "hands": {0: "5S1 6S1 9D2", 1: "KD1 KC1"},
        "table": {"1": "7C1+7D1+7H1+7S2"},
        "opened": [True, True],
    },
    "seat": 0,
    "goal": {"hand_at_most": 1},
    "refused": {"P x1 > 7C1+7D1+7H1+9D2 / 5S1-6S1-7S2": {"rule": "set-rank", "say": "Not the nine."}},
    "hint": "A set of four can spare one.",
}
ARRANGED = "7C1 7D1 7H1 / 7S2 5S1 6S1"


@pytest.fixture(autouse=True)
def _course_of_vatican(monkeypatch, tmp_path):
    folder = tmp_path / "vatican"
    folder.mkdir()
    (folder / "rules.md").write_bytes((library.SEEDS / "vatican" / "rules.md").read_bytes())
    placement = {"ask": QUESTION["ask"], "answers": QUESTION["answers"]}
    chapter = {"id": "one", "title": "One", "say": "First.", "placement": placement, "steps": [STEP]}
    course = {"game": "vatican", "title": "Learn", "say": "Hello.", "chapters": [chapter]}
    (folder / "lessons.yaml").write_text(yaml.safe_dump(course))
    monkeypatch.setattr(library, "SEEDS", tmp_path)
    library.load_course.cache_clear()
    yield
    library.load_course.cache_clear()


def test_the_workbench_stands_in_the_lesson(client):
    page = page_html(client.get(URL))
    assert f'data-check-url="{URL}check/"' in page
    assert f'action="{URL}#lesson"' in page


def test_an_arrangement_is_judged_meld_by_meld(client):
    assert client.get(f"{URL}check/", {"text": ARRANGED}).json()["ok"]
    broken = client.get(f"{URL}check/", {"text": "7C1 7D1 / 7H1 7S2 5S1 6S1"}).json()
    assert not broken["ok"]
    assert [meld["ok"] for meld in broken["melds"]] == [False, False]
    assert not LessonProgress.objects.exists()


def test_an_arrangement_that_the_author_foresaw_is_judged_in_their_words(client):
    foreseen = client.get(f"{URL}check/", {"text": "7C1 7D1 7H1 9D2 / 7S2 5S1 6S1"}).json()
    assert not foreseen["ok"]
    assert foreseen["say"] == "Not the nine."
    assert foreseen["rule"].endswith("#set-rank")
    assert [meld["ok"] for meld in foreseen["melds"]] == [False, True]


def test_an_arrangement_that_reaches_the_goal_finishes_the_step(client):
    client.post(URL, {"text": ARRANGED, "is_arrangement": "1", "version": "0"})
    assert LessonProgress.objects.get().has_star


def test_an_arrangement_against_the_rules_is_refused_with_its_rule(client):
    broken = {"text": "7C1 7D1 / 7H1 7S2 5S1 6S1", "is_arrangement": "1", "version": "0"}
    page = page_html(client.post(URL, broken))
    assert "/rules/vatican/#" in page
    assert LessonProgress.objects.get().done_at is None
