"""A course of Casino in a few words, for tests that break it."""

import yaml

MOVE = {
    "id": "nines",
    "title": "Equal cards",
    "rules": ["capture-equal"],
    "say": "Take the nines.",
    "position": {
        "dealer": 1, "to_move": 0, "hands": {0: "9S 2C QD 5H", 1: "9C 4D JS 6S"}, "loose": "9D 9H KC 3C",
    },
    "seat": 0,
    "do": "9Sx9D+9H",
    "unwanted": {"9Sx9D": {"say": "One was left.", "replies": ["9Cx9H"]}},
    "refused": {"9SxKC": "capture-face"},
    "hint": "Both.",
    "done": "Three cards.",
}  # fmt: skip

TURNS = {
    "id": "build",
    "title": "Build",
    "rules": ["build-single"],
    "say": "Build eight, then take it.",
    "position": {"dealer": 1, "to_move": 0, "hands": {0: "5H 8S 6C", 1: "KD TC QS"}, "loose": "3C 4D QH"},
    "seat": 0,
    "turns": [
        {"say": "Build.", "do": "5H=8:3C", "hint": "5 + 3.", "replies": ["KD"], "then": "Pip trails."},
        {"say": "Take it.", "do": "8Sx[8]", "refused": {"6C": "no-trail-with-build"}, "hint": "The eight."},
    ],
}  # fmt: skip

QUESTION = {
    "id": "worth",
    "title": "Worth a point",
    "rules": ["score-aces"],
    "say": "Look.",
    "ask": "Which is worth a point?",
    "answers": [{"right": "AS", "because": "An ace."}, {"wrong": "KS", "because": "A king."}],
}

PRACTICE = {
    "id": "game",
    "title": "A hand",
    "rules": ["one-card"],
    "say": "Play.",
    "practice": {"seats": 2, "bot": "first-steps", "until": "hand"},
}

ENDGAME = PRACTICE | {
    "id": "end",
    "position": {"dealer": 1, "to_move": 0, "hands": {0: "9S 2C", 1: "KD 5H"}, "loose": "9D"},
    "seat": 0,
    "practice": {"bot": "first-steps", "adviser": "club", "until": "hand"},
}


def course_text(*steps: dict, **chapter_keys) -> str:
    """The YAML of a course with one chapter, which has these keys besides."""
    placement = {"ask": QUESTION["ask"], "answers": QUESTION["answers"]}
    chapter = {"id": "one", "title": "One", "say": "First.", "placement": placement, "steps": list(steps)}
    chapter |= chapter_keys
    return yaml.safe_dump({"game": "casino", "title": "Learn", "say": "Hello.", "chapters": [chapter]}, sort_keys=False)
