from infra.cache import Recent


def test_what_was_used_last_is_kept():
    kept = Recent(2)
    for key in ("a", "b"):
        kept.keep(key, key.upper())
    assert kept.find("a") == "A"  # b is now the one that was not used for longest
    kept.keep("c", "C")
    assert (kept.find("a"), kept.find("b"), kept.find("c")) == ("A", None, "C")


def test_a_value_that_is_kept_again_counts_as_used():
    kept = Recent(2)
    for key, value in (("a", 1), ("b", 1), ("a", 2), ("c", 1)):
        kept.keep(key, value)
    assert dict(kept) == {"a": 2, "c": 1}


def test_what_is_known_stays_where_it_had_better():
    kept = Recent(2)
    for version in (3, 2, 4):
        kept.keep("a", version, unless=lambda known, version=version: known > version)
        assert kept.find("a") == max(3, version)
    assert kept.find("b") is None
