"""Template tag `{% sample %}` of the style guide."""

from textwrap import dedent

from django import template
from django.template.base import NodeList, Parser, Token, TokenType
from django.utils.html import format_html
from django.utils.text import slugify

register = template.Library()


class Sample(template.Node):
    def __init__(self, title: str, source: str, nodelist: NodeList) -> None:
        self.title, self.source, self.nodelist = title, source, nodelist

    def render(self, context: template.Context) -> str:
        return format_html(
            '<section class="sample" id="{}"><h3>{}</h3><div class="sample-shown">{}</div>'
            '<details class="fold"><summary>Markup: {}</summary>'
            '<pre tabindex="0"><code>{}</code></pre></details></section>',
            slugify(self.title),
            self.title,
            self.nodelist.render(context),
            self.title,
            self.source,
        )


@register.tag
def sample(parser: Parser, token: Token) -> Sample:
    """`{% sample "Title" %}…{% endsample %}`: shows its content and, below it, the source."""
    title = token.split_contents()[1].strip('"')
    tokens: list[Token] = []
    for inner in reversed(parser.tokens):  # the parser keeps them last first
        assert isinstance(inner, Token)
        if inner.contents == "endsample":
            break
        tokens.append(inner)
    nodelist = parser.parse(("endsample",))
    parser.delete_first_token()
    return Sample(title, dedent("".join(map(_source, tokens)).strip("\n")).rstrip(), nodelist)


def _source(token: Token) -> str:
    if token.token_type == TokenType.VAR:
        return f"{{{{ {token.contents} }}}}"
    if token.token_type == TokenType.BLOCK:
        return f"{{% {token.contents} %}}"
    return token.contents if token.token_type == TokenType.TEXT else ""
