from infra.cache import LRUCache


def test_what_was_used_last_is_kept():
    kept = LRUCache(2)
    for key in ("a", "b"):
        kept.set(key, key.upper())
    assert kept.get("a") == "A"  # b is now the one that was not used for longest
    kept.set("c", "C")
    assert (kept.get("a"), kept.get("b"), kept.get("c")) == ("A", None, "C")


def test_a_value_that_is_kept_again_counts_as_used():
    kept = LRUCache(2)
    for key, value in (("a", 1), ("b", 1), ("a", 2), ("c", 1)):
        kept.set(key, value)
    assert [kept.get(key) for key in "abc"] == [2, None, 1]


def test_a_known_value_stays_where_it_is_newer():
    kept = LRUCache(2)
    for version in (3, 2, 4):
        kept.set("a", version, unless=lambda known, version=version: known > version)
        assert kept.get("a") == max(3, version)
    assert kept.get("b") is None


def test_values_can_be_forgotten():
    kept = LRUCache(2)
    for key in ("a", "b"):
        kept.set(key, key)
    kept.delete("a")
    kept.delete("never there")
    assert (kept.get("a"), kept.get("b")) == (None, "b")
    kept.clear()
    assert kept.get("b") is None
