"""Our Markdown as HTML. HTML inside it is shown as text, and pages have no inline style."""

from django.utils.safestring import SafeString
from markdown_it import MarkdownIt

_parser = MarkdownIt("commonmark", {"html": False}).enable("table")


def html(text: str) -> SafeString:
    """A whole text."""
    tokens = _parser.parse(text)
    for token in tokens:
        if align := token.attrs.pop("style", None):  # of a table's cells
            token.attrs["class"] = str(align).removeprefix("text-align:")
    rendered = _parser.renderer.render(tokens, _parser.options, {})
    return SafeString(rendered.replace("<pre>", '<pre tabindex="0">'))  # what may scroll can be reached by keyboard


def inline(text: str) -> SafeString:
    """One sentence, without a paragraph around it."""
    return SafeString(_parser.renderInline(text))
