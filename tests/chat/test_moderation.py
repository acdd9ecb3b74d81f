"""Reports, and what moderators do about them."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import blocking
from accounts.models import User
from accounts.services import close_account, export_account_data, sign_up
from chat import reports, services
from chat.models import Act, Line, Report
from chat.moderation import services as moderation
from games import services as games
from games.models import MoveNote, Table
from notifications.models import Notice
from tests.pages import page_html, page_words

pytestmark = pytest.mark.django_db

WHY = "We speak kindly here."


@pytest.fixture
def table(table_of):
    return table_of("alice", "bob")


@pytest.fixture
def report(table, say, person):
    """Alice has reported what bob said, amid other lines."""
    say("alice", table, "your move")
    line = say("bob", table, "you fool")
    say("alice", table, "calm down")
    return reports.file_report(by=person("alice"), about=person("bob"), table=table, line=line, reason="insult")


def state_of_page(browser, table):
    """What the page says of what it offers."""
    return unescape(re.search(r'name="state" value="([^"]*)"', browser.get(table.get_absolute_url()).text)[1])


def notices_of(user):
    return list(Notice.objects.filter(user=user).values_list("text", flat=True))


def act(browser, report, name, why=WHY):
    return browser.post(f"/moderation/reports/{report.pk}/", {"act": name, "why": why}, follow=True)


# Reports


def test_a_report_keeps_what_was_said_around_the_line(report, say, table):
    Line.objects.all().delete()
    report.refresh_from_db()
    assert [line.split(" ", 2)[2] for line in report.context.splitlines()] == [
        "alice: your move",
        "bob: you fool",
        "alice: calm down",
    ]


def test_moderators_are_told_of_a_report_and_nobody_else(moderator, report, person):
    assert notices_of(moderator) == ["New report: insults or threats"]
    assert notices_of(person("alice")) == notices_of(person("bob")) == []


def test_one_reports_a_line_by_its_page(table, say, as_user, person):
    line = say("bob", table, "you fool")
    browser = as_user(person("alice"))
    path = f"/report/?line={line.pk}"
    assert "you fool" in page_html(browser.get(path))
    answer = browser.post(path, {"reason": "insult", "note": "Twice."})
    made = Report.objects.get()
    assert (made.by, made.about, made.line, made.note) == (person("alice"), person("bob"), line, "Twice.")
    assert answer.url == f"/report/{made.pk}/"
    html = page_html(browser.get(answer.url))
    assert "received your report" in html and "Block bob too" in html
    browser.post("/accounts/block/", {"player": "bob"})
    assert "Block bob too" not in page_html(browser.get(answer.url))
    assert as_user(person("bob")).get(answer.url).status_code == 404


def test_nobody_is_reported_after_a_game_with_bots_alone(as_user, person, house_bot):
    house_bot("Ada")
    table = games.open_table(game="casino", seats=2, options=None, created_by=person("alice"))
    games.sit_down(table_id=table.pk, user=person("alice"), shuffles=False)
    games.seat_bot(table_id=table.pk, level="first-steps")
    games.resign(table_id=table.pk, user=person("alice"))
    result = page_html(as_user(person("alice")).get(f"/tables/{table.code}/result/"))
    assert "/verify/" in result and "/report/" not in result


def test_after_a_game_one_chooses_whom_to_report(table, as_user, person):
    games.stop_table(table_id=table.pk)
    browser = as_user(person("alice"))
    assert f"/report/?table={table.code}" in page_html(browser.get(f"/tables/{table.code}/result/"))
    html = page_html(browser.get(f"/report/?table={table.code}"))
    assert "?player=bob&amp;table=" in html
    assert "?player=alice" not in html
    browser.post(f"/report/?player=bob&table={table.code}", {"reason": "stalling"})
    assert Report.objects.get().table == table


def test_a_report_from_the_page_of_a_player_has_the_chat_of_the_game_with_them_also_after_a_block(
    table, say, as_user, person
):
    say("bob", table, "you fool")
    browser = as_user(person("alice"))
    browser.post("/accounts/block/", {"player": "bob"})
    assert f"with the chat of {table}" in page_html(browser.get("/report/?player=bob"))
    browser.post("/report/?player=bob", {"reason": "insult"})
    as_user(person("carol")).post("/report/?player=bob", {"reason": "insult"})
    ours, of_stranger = Report.objects.all()
    assert (ours.table, "bob: you fool" in ours.context) == (table, True)
    assert (of_stranger.table, of_stranger.context) == (None, "")


def test_nobody_reports_himself_a_bot_or_a_line_that_he_may_not_read(table, say, as_user, person):
    advice = say("carol", table, "alice should take the ten")
    User.objects.create(username="bot-casino-pip", is_bot=True)
    browser = as_user(person("alice"))
    for query in ("player=alice", "player=bot-casino-pip", f"line={advice.pk}", "line=x", "player=nobody", ""):
        assert browser.get(f"/report/?{query}").status_code == 404
    assert as_user(person("dave")).get(f"/report/?line={advice.pk}").status_code == 200


def test_a_line_of_a_hidden_table_is_reported_by_its_players_only(table, say, as_user, person):
    line = say("alice", table, "good luck")
    Table.objects.update(is_hidden=True)
    assert as_user(person("carol")).get(f"/report/?line={line.pk}").status_code == 404
    assert as_user(person("bob")).get(f"/report/?line={line.pk}").status_code == 200


def test_one_reports_a_note_to_a_move_that_everybody_may_read(table, as_user, person):
    games.stop_table(table_id=table.pk)
    write = {"table": Table.objects.get(), "author": person("bob"), "number": 0}
    games.write_note(**write, text="only a fool leads that", is_public=True)
    remark, browser = MoveNote.objects.get(), as_user(person("carol"))
    path = f"/report/?remark={remark.pk}"
    assert path in page_html(browser.get(f"/tables/{table.code}/replay/"))
    browser.post(path, {"reason": "insult"})
    made = Report.objects.get()
    assert (made.about, made.table, made.context) == (person("bob"), table, "To move 0: only a fool leads that")
    games.write_note(**write, text="only for me", is_public=False)
    assert browser.get(path).status_code == 404


def test_what_was_said_over_an_offered_deal_stays_closed_to_who_may_still_play_it(table, say, as_user, person):
    line = say("alice", table, "what a hand")
    games.stop_table(table_id=table.pk)
    remark = MoveNote.objects.create(table=table, author=person("alice"), number=0, text="aces", is_public=True)
    Table.objects.update(offers_deal=True)
    for path in (f"/report/?line={line.pk}", f"/report/?remark={remark.pk}"):
        assert as_user(person("carol")).get(path).status_code == 404
        assert as_user(person("bob")).get(path).status_code == 200
    assert as_user(person("carol")).get(f"/tables/{table.code}/chat/").url == f"/deals/{table.code}/"


def test_the_eleventh_report_in_an_hour_has_to_wait(as_user, person):
    person("bob")
    browser = as_user(person("alice"))
    codes = [browser.post("/report/?player=bob", {"reason": "name"}).status_code for _ in range(11)]
    assert codes == [302] * 10 + [429]


# Who may moderate


@pytest.mark.parametrize("path", ["/moderation/", "/moderation/log/"])
def test_only_moderators_see_the_pages(path, moderator, as_user, person):
    assert Client().get(path).status_code == 302
    assert as_user(person("alice")).get(path).status_code == 403
    assert as_user(moderator).get(path).status_code == 200


def test_only_moderators_act(report, as_user, person):
    assert act(as_user(person("alice")), report, "shut").status_code == 403
    assert person("bob").is_active


def test_the_page_shows_an_open_report_with_its_context(report, moderator, as_user):
    html = page_html(as_user(moderator).get("/moderation/"))
    assert "you fool" in html
    assert "calm down" in html
    assert f"/tables/{report.table.code}/" in html


def test_a_moderator_who_plays_learns_of_reports_from_that_game_when_it_is_over(
    moderator, table_of, say, as_user, person
):
    table = table_of("mona", "bob")
    line = say("carol", table, "mona should take the ten")
    report = reports.file_report(by=person("dave"), about=person("carol"), table=table, line=line, reason="other")
    reports.file_report(by=person("dave"), about=person("carol"), reason="name")
    browser = as_user(moderator)
    html = page_html(browser.get("/moderation/"))
    assert "An offensive name" in html
    assert "take the ten" not in html
    assert act(browser, report, "hide").status_code == 404
    games.stop_table(table_id=table.pk)
    assert "take the ten" in page_html(browser.get("/moderation/"))


def test_nobody_sees_a_report_about_himself(moderator, as_user, person):
    report = reports.file_report(by=person("alice"), about=moderator, reason="other")
    browser = as_user(moderator)
    assert "No open reports." in page_html(browser.get("/moderation/"))
    assert act(browser, report, "dismiss").status_code == 404


def test_open_reports_have_pages_on_which_more_reports_need_no_more_queries(moderator, as_user, person):
    browser, alice = as_user(moderator), person("alice")

    def queries_with(names):
        for name in names:
            decided = reports.file_report(by=alice, about=person(name), reason="other")
            moderation.mute_player(report=decided, by=moderator, why=f"{name} was rude", time=timedelta(days=1))
            reports.file_report(by=alice, about=person(name), reason="insult")
        with CaptureQueriesContext(connection) as queries:
            return page_html(browser.get("/moderation/")), len(queries)

    few, for_few = queries_with(["bob", "carol"])
    many, for_many = queries_with(f"rude-{number}" for number in range(19))
    assert few.count("Insults or threats:") == 2 and "carol was rude" in few
    assert many.count("Insults or threats:") == many.count(" was rude") == 20 and "rude-18" not in many
    assert for_many == for_few
    assert "rude-18 was rude" in page_html(browser.get("/moderation/?page=2"))


# What they do


def test_a_dismissed_report_changes_nothing_and_only_its_maker_is_told(report, moderator, as_user, person):
    act(as_user(moderator), report, "dismiss")
    report.refresh_from_db()
    assert report.outcome == Report.Outcome.DISMISSED
    assert notices_of(person("alice")) == ["The moderators have reviewed your report"]
    answered = page_html(as_user(person("alice")).get(f"/report/{report.pk}/"))
    assert "have reviewed it and found that no action was needed." in " ".join(answered.split())
    assert notices_of(person("bob")) == []


def test_nothing_is_done_without_a_reason_or_twice(report, moderator, as_user):
    browser = as_user(moderator)
    act(browser, report, "mute-day", why=" ")
    assert not Act.objects.exists()
    act(browser, report, "mute-day")
    assert "already" in page_html(act(browser, report, "shut"))
    assert Act.objects.count() == 1


def test_the_log_shows_what_was_hidden_and_leads_to_its_author(report, moderator, as_user):
    browser = as_user(moderator)
    act(browser, report, "hide")
    html = page_html(browser.get("/moderation/log/"))
    assert "<q>you fool</q>" in html and 'href="/players/bob/"' in html


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("hide", "A moderator has hidden a message of yours"),
        ("mute-day", "A moderator has muted you"),
        ("shut", "Your account has been suspended"),
    ],
)
def test_the_notice_and_so_the_e_mail_say_what_was_decided_and_why(report, moderator, as_user, name, told):
    act(as_user(moderator), report, name)
    assert [notice.text for notice in Notice.objects.filter(key__startswith="moderated:")] == [f"{told}: {WHY}"]


def test_of_two_moderators_at_the_same_moment_one_decides(report, moderator):
    """Both have read the report while it was open."""
    other = Report.objects.get(pk=report.pk)
    moderation.dismiss_report(report=report, by=moderator, why=WHY)
    with pytest.raises(moderation.ModerationError, match="already closed"):
        moderation.suspend_player(report=other, by=moderator, why=WHY)
    assert [done.what for done in Act.objects.all()] == [Act.What.DISMISS]
    assert User.objects.get(username="bob").is_active


def test_a_hidden_line_is_read_by_nobody_until_that_is_undone(report, moderator, as_user, table, heard):
    browser = as_user(moderator)
    act(browser, report, "hide")
    assert "you fool" not in heard("alice", table) + heard("bob", table) + heard("carol", table)
    browser.post(f"/moderation/log/{Act.objects.get().pk}/undo/")
    assert "you fool" in heard("alice", table)


def test_a_hidden_line_goes_from_open_pages_and_comes_back(report, moderator, as_user, table, person):
    alice = as_user(person("alice"))
    ask = {"after": Line.objects.last().pk, "state": state_of_page(alice, table)}
    url, part = f"/tables/{table.code}/chat/", {"HX-Request": "true"}
    assert "calm down" not in page_html(alice.get(url, ask, headers=part))
    act(as_user(moderator), report, "hide")
    answer = alice.get(url, ask, headers=part)
    assert answer["HX-Reswap"] == "innerHTML"
    assert "calm down" in page_html(answer)
    assert "you fool" not in page_html(answer)


def hide_at_once(browser, about, why=WHY):
    return browser.post(f"/moderation/hide/?{about}", {"why": why}, follow=True)


def test_a_moderator_hides_a_line_that_nobody_has_reported(moderator, as_user, table, say, heard, person):
    line, browser = say("bob", table, "you fool"), as_user(moderator)
    about = f"line={line.pk}"
    assert "Hide it now" in page_html(browser.get(f"/report/?{about}"))
    assert "Hide it now" not in page_html(as_user(person("alice")).get(f"/report/?{about}"))
    assert "Done: hid a message of bob." in page_html(hide_at_once(browser, about))
    assert heard("alice", table) == heard("bob", table) == []
    made = Act.objects.get()
    assert (made.by, made.about, made.line, made.report, made.why) == (moderator, person("bob"), line, None, WHY)
    assert "you fool" in page_html(as_user(person("bob")).get(f"/moderation/told/{made.pk}/"))
    assert Report.objects.count() == 0
    browser.post(f"/moderation/log/{made.pk}/undo/")
    assert heard("alice", table) == ["you fool"]


@pytest.mark.parametrize(
    ("who", "about", "why", "status"),
    [
        ("alice", "line", WHY, 403),
        ("mona", "line", "", 200),
        ("mona", "player=bob", WHY, 404),
        ("mona", "line=0", WHY, 404),
    ],
)
def test_nothing_is_hidden_by_others_without_a_reason_or_where_nothing_was_said(
    moderator, as_user, table, say, person, who, about, why, status
):
    line = say("bob", table, "you fool")
    answer = hide_at_once(as_user(person(who)), f"line={line.pk}" if about == "line" else about, why)
    line.refresh_from_db()
    assert (answer.status_code, line.is_hidden, Act.objects.count()) == (status, False, 0)


def test_a_moderator_hides_no_line_of_his_own(moderator, as_user, table_of, say):
    line = say("mona", table_of("mona", "bob"), "hear me")
    assert "decide about yourself." in page_html(hide_at_once(as_user(moderator), f"line={line.pk}"))
    assert Act.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_pages_hear_of_a_hidden_line_where_it_is_read(table, say, moderator, person, announced):
    of_all, of_watchers = f"chat:{table.code}", f"watchers:{table.code}"
    lines = {name: say(name, table, "you fool") for name in ("bob", "carol")}
    made = {
        name: reports.file_report(by=person("alice"), about=person(name), line=lines[name], reason="insult")
        for name in lines
    }
    announced()
    moderation.hide_reported(report=made["bob"], by=moderator, why=WHY)
    assert announced() == {of_all}
    moderation.hide_reported(report=made["carol"], by=moderator, why=WHY)
    assert announced() == {of_watchers}
    games.stop_table(table_id=table.pk)
    announced()
    moderation.undo_moderation(act=Act.objects.get(about=person("carol")), by=moderator)
    assert announced() == {of_all, of_watchers}


@pytest.fixture
def remark(table, person):
    """Bob's note to the last position, which everybody may read."""
    games.stop_table(table_id=table.pk)
    note = {"author": person("bob"), "number": 0, "text": "only a fool leads that", "is_public": True}
    games.write_note(table=Table.objects.get(), **note)
    return MoveNote.objects.get()


def replay(as_user, user, table):
    return page_html(as_user(user).get(f"/tables/{table.code}/replay/"))


def test_a_hidden_note_is_read_by_its_author_alone_until_that_is_undone(remark, moderator, as_user, table, person):
    as_user(person("alice")).post(f"/report/?remark={remark.pk}", {"reason": "insult"})
    browser = as_user(moderator)
    assert "About this note" in page_html(browser.get("/moderation/"))
    act(browser, Report.objects.get(), "hide")
    assert remark.text not in replay(as_user, person("alice"), table) + replay(as_user, person("carol"), table)
    assert as_user(person("carol")).get(f"/report/?remark={remark.pk}").status_code == 404
    assert "A moderator has hidden this note" in replay(as_user, person("bob"), table)
    done = Act.objects.get()
    assert remark.text in page_html(as_user(person("bob")).get(f"/moderation/told/{done.pk}/"))
    assert WHY in page_html(browser.get("/moderation/log/"))
    games.write_note(table=Table.objects.get(), author=person("bob"), number=0, text="still a fool", is_public=True)
    assert "still a fool" not in replay(as_user, person("alice"), table)
    browser.post(f"/moderation/log/{done.pk}/undo/")
    assert "still a fool" in replay(as_user, person("alice"), table)


def test_a_moderator_hides_a_note_that_nobody_has_reported(remark, moderator, as_user, table, person):
    Report.objects.all().delete()
    hide_at_once(as_user(moderator), f"remark={remark.pk}")
    remark.refresh_from_db()
    assert remark.is_hidden and Act.objects.get().remark == remark
    assert remark.text not in replay(as_user, person("carol"), table)


def test_who_has_blocked_somebody_reads_none_of_his_notes(remark, as_user, table, person):
    assert remark.text in replay(as_user, person("alice"), table)
    blocking.block_user(blocker=person("alice"), blocked=person("bob"))
    assert remark.text not in replay(as_user, person("alice"), table)
    assert remark.text in replay(as_user, person("carol"), table)


def test_a_muted_person_shows_no_note_to_everybody(remark, moderator, as_user, person):
    made = reports.file_report(by=person("alice"), about=person("bob"), reason="insult")
    act(as_user(moderator), made, "mute-day")
    note = {"table": Table.objects.get(), "author": person("bob"), "number": 0}
    with pytest.raises(games.TableError, match="muted"):
        games.write_note(**note, text="you fools", is_public=True)
    games.write_note(**note, text="for me", is_public=False)
    assert MoveNote.objects.get().text == "for me"


@pytest.mark.parametrize(("name", "days"), [("mute-day", 1), ("mute-week", 7)])
def test_a_muted_person_has_phrases_only_for_that_time(report, moderator, as_user, table, say, person, name, days):
    act(as_user(moderator), report, name)
    with pytest.raises(services.ChatError, match="muted you. This ends in (1\\sday|1\\sweek)"):
        say("bob", table, "sorry")
    say("bob", table, "thanks", "phrase")
    until = Act.objects.get().until
    assert abs(until - timezone.now() - timedelta(days=days)) < timedelta(minutes=1)
    assert Act.objects.mutes(person("bob"), until - timedelta(seconds=1)).exists()
    assert not Act.objects.mutes(person("bob"), until).exists()
    say("alice", table, "fine")


def test_a_mute_that_is_undone_is_over_and_bob_is_told_both_times(report, moderator, as_user, table, say, person):
    browser = as_user(moderator)
    act(browser, report, "mute-week")
    browser.post(f"/moderation/log/{Act.objects.get().pk}/undo/")
    say("bob", table, "thank you")
    assert len(notices_of(person("bob"))) == 2
    page = page_html(as_user(person("bob")).get(f"/moderation/told/{Act.objects.get().pk}/"))
    assert WHY in page
    assert "withdrawn" in page


def test_what_one_is_told_only_he_reads(report, moderator, as_user, person):
    act(as_user(moderator), report, "mute-day")
    path = f"/moderation/told/{Act.objects.get().pk}/"
    assert as_user(person("bob")).get(path).status_code == 200
    assert as_user(person("alice")).get(path).status_code == 404


def test_a_shut_account_is_out_at_once_and_hears_why_when_it_comes_back(moderator, as_user, table_of, person):
    bob = sign_up(username="bob", password="a long enough one")
    table = table_of("alice", "bob")
    note = bob.move_notes.create(table=table, number=0, text="My own")
    browser = as_user(bob)
    report = reports.file_report(by=person("alice"), about=bob, reason="flood")
    act(as_user(moderator), report, "shut")
    assert list(bob.move_notes.all()) == [note], "the account may be opened again"
    assert "Log in" in page_html(browser.get("/"))
    table.refresh_from_db()
    assert table.status == Table.Status.FINISHED
    attempt = {"username": "bob", "password": "a long enough one"}
    assert WHY in page_html(Client().post("/accounts/login/", attempt))
    guess = attempt | {"password": "another one"}
    assert WHY not in page_html(Client().post("/accounts/login/", guess))

    as_user(moderator).post(f"/moderation/log/{Act.objects.get().pk}/undo/")
    assert Client().post("/accounts/login/", attempt).status_code == 302


def test_an_undone_decision_leaves_what_another_one_has_decided_too(moderator, person, table, say):
    bob, line = person("bob"), say("bob", table, "you fool")
    made = [reports.file_report(by=person(name), about=bob, line=line, reason="flood") for name in ("alice", "carol")]
    first, second = (moderation.suspend_player(report=one, by=moderator, why=WHY) for one in made)
    hidden = [moderation.hide_unreported(said=line, by=moderator, why=WHY) for _ in range(2)]
    for act, is_over in ((first, False), (second, True)):
        moderation.undo_moderation(act=act, by=moderator)
        assert person("bob").is_active == is_over
    for act, is_over in zip(hidden, (False, True), strict=True):
        moderation.undo_moderation(act=act, by=moderator)
        assert Line.objects.get(pk=line.pk).is_hidden == (not is_over)


@pytest.mark.parametrize("who", ["moderator", "staff", "former"])
def test_nobody_acts_on_himself_on_who_runs_the_site_or_on_a_closed_account(report, moderator, person, who):
    bob = person("bob")
    if who == "staff":
        User.objects.filter(pk=bob.pk).update(is_staff=True)
    elif who == "former":
        close_account(user=bob)
    report = Report.objects.get()
    with pytest.raises(moderation.ModerationError):
        moderation.suspend_player(report=report, by=bob if who == "moderator" else moderator, why=WHY)
    assert not Act.objects.exists()


def test_the_log_says_who_did_what_to_whom_when_and_why(report, moderator, as_user):
    browser = as_user(moderator)
    act(browser, report, "mute-day")
    html = page_html(browser.get("/moderation/log/"))
    assert "mona muted bob" in page_words(browser.get("/moderation/log/"))
    assert all(text in html for text in (WHY, "Undo"))
    browser.post(f"/moderation/log/{Act.objects.get().pk}/undo/")
    assert "undone by mona" in page_html(browser.get("/moderation/log/"))
    assert "already" in page_html(browser.post(f"/moderation/log/{Act.objects.get().pk}/undo/", follow=True))


# Data


def test_ones_data_has_what_one_has_reported_and_what_was_decided(report, moderator, person):
    moderation.mute_player(report=report, by=moderator, why=WHY, time=moderation.MUTE_DAY)
    assert [made["reason"] for made in export_account_data(person("alice"))["reports by you"]] == ["insult"]
    [decision] = export_account_data(person("bob"))["moderators' decisions"]
    assert (decision["what"], decision["why"]) == ("mute", WHY)


def test_a_closed_account_has_no_name_in_reports_and_has_made_none(report, person):
    reports.file_report(by=person("bob"), about=person("alice"), reason="other", note="She began.")
    close_account(user=person("bob"))
    [left] = Report.objects.all()
    assert left.by == person("alice")
    assert "bob" not in left.context
    assert "Former player: you fool" in left.context
