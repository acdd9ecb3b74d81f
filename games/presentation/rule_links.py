"""Links into the rule books, which only an app above this one knows."""


def rule_url(rule: str) -> str:
    """URL in the rule book of a full rule id such as `casino:build-hold`."""
    slug, _, anchor = rule.partition(":")
    return f"/rules/{slug}/#{anchor}"
