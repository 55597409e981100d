from __future__ import annotations

import pytest

from exports.safe_names import has_invisible, name_key, unsafe_because, visible


@pytest.mark.parametrize("name", ["a.png", "images/a b.png", "é/字.jpg", "a..b/c.png", "CON.png", "-x.png", ".hidden"])
def test_plain_relative_names_are_safe(name: str) -> None:
    assert unsafe_because(name) is None


@pytest.mark.parametrize(
    "name",
    [
        "",
        "x" * 501,
        "../x",
        "a/../../x",
        "..",
        "./x",
        "a//b",
        "a/",
        "/etc/passwd",
        "C:\\x",
        "C:x",
        "c:/x",
        "a\\b",
        "\\\\host\\x",
        "file:///etc/passwd",
        "http://169.254.169.254/",
        "s3://bucket/x",
        "data:text/html,x",
        "a\0.png",
        "a\nb",
        "gpj.\u202eexe",
        "a\u200b.png",
        "a\ud800",
    ],
)
def test_names_that_leave_the_folder_or_hide_something_are_not(name: str) -> None:
    assert unsafe_because(name) is not None


def test_visible_shows_escapes_only_where_needed() -> None:
    assert visible("aé\u202e\U000e0041\x00") == r"aé\u202e\U000e0041\x00".replace(r"\x00", r"\u0000")
    assert has_invisible("a\ufeff")
    assert not has_invisible("aé 字😀")


def test_name_key_is_equal_for_twins() -> None:
    assert name_key("É.PNG") == name_key("e\u0301.png") != name_key("e.png")
