"""The time zones that forms offer and read."""

import pytest
from django import forms

from infra.time_zones import ZoneField


class ZoneForm(forms.Form):
    zone = ZoneField()


def offered(form: ZoneForm) -> list[str]:
    return [value for value, _ in form["zone"].field.widget.choices]


def test_a_form_offers_one_name_for_each_area_and_no_other_names():
    zones = offered(ZoneForm())
    assert {"UTC", "Europe/Berlin", "Europe/Vienna", "Asia/Kolkata"} <= set(zones)
    assert all("/" in zone for zone in zones if zone != "UTC") and len(zones) == len(set(zones))
    assert not {"Etc/UTC", "US/Eastern", "Asia/Calcutta", "Factory", "localtime", "Greenwich"} & set(zones)


def test_an_alias_that_is_set_is_offered_in_its_form_alone():
    zones = offered(ZoneForm(initial={"zone": "Asia/Calcutta"}))
    assert "Asia/Calcutta" in zones and zones == ["UTC", *sorted(zones[1:])]
    assert "Asia/Calcutta" not in offered(ZoneForm())


@pytest.mark.parametrize(
    ("zone", "is_read"), [("UTC", True), ("Europe/Vienna", True), ("Asia/Calcutta", True), ("Factory", False)]
)
def test_an_alias_is_read_and_what_is_no_place_is_not(zone, is_read):
    assert ZoneForm({"zone": zone}).is_valid() is is_read


def test_what_was_sent_is_shown_again():
    assert "Asia/Calcutta" in offered(ZoneForm({"zone": "Asia/Calcutta"}))
