"""Our Markdown as Typst markup, converted node by node from markdown-it's syntax tree.

Every Typst call ends with a semicolon: otherwise brackets or a full stop in the text behind it would belong to it.
"""

import re
from collections.abc import Callable

from ludotheque.extras import extra

with extra("booklet"):
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

PARSER = MarkdownIt("commonmark", {"html": False}).enable("table")
SPECIAL = re.compile(r"([\\#$@<>_*`\[\]~=+/])")
HIGHEST_LEVEL = 2  # of headings; those of level 1 are the booklet's own
TABLE = "stroke: none, inset: (x: 0.8em, y: 0.3em)"


def typst(markdown: str, *, without: str = "") -> str:
    """Markdown as Typst markup. Images are left out, and so is the section with the heading `without`."""
    blocks, left_out = [], False
    for node in SyntaxTreeNode(PARSER.parse(markdown)).children:
        if node.tag == "h2":
            left_out = node.children[0].content == without
        if not left_out:
            blocks.append(_markup(node))
    return "\n\n".join(block for block in blocks if block)


def escaped(text: str) -> str:
    """Plain text as Typst markup."""
    return SPECIAL.sub(r"\\\1", text)


def _markup(node: SyntaxTreeNode) -> str:
    if node.type not in NODES:
        raise ValueError(f"no Typst markup is known for {node.type}")
    return NODES[node.type](node)


def _inside(node: SyntaxTreeNode) -> str:
    return "".join(map(_markup, node.children))


def _heading(node: SyntaxTreeNode) -> str:
    return f"#heading(level: {max(HIGHEST_LEVEL, int(node.tag[1]))})[{_inside(node)}];"


def _raw(node: SyntaxTreeNode) -> str:
    text = node.content.removesuffix("\n").replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
    return f'#raw("{text}", block: {"false" if node.type == "code_inline" else "true"});'


def _items(function: str) -> Callable[[SyntaxTreeNode], str]:
    def markup(node: SyntaxTreeNode) -> str:
        items = ("\n\n".join(map(_markup, item.children)) for item in node.children)
        return f"#{function}({', '.join(f'[{item}]' for item in items)});"

    return markup


def _table(node: SyntaxTreeNode) -> str:
    rows = [row for part in node.children for row in part.children]
    cells = ", ".join(f"[{_markup(cell)}]" for row in rows for cell in row.children)
    return f"#table(columns: {len(rows[0].children)}, {TABLE}, {cells});"


def _nothing(_node: SyntaxTreeNode) -> str:
    return ""


NODES: dict[str, Callable[[SyntaxTreeNode], str]] = {
    "heading": _heading,
    "paragraph": _inside,
    "inline": _inside,
    "text": lambda node: escaped(node.content),
    "softbreak": lambda _: " ",
    "hardbreak": lambda _: "#linebreak();",
    "strong": lambda node: f"#strong[{_inside(node)}];",
    "em": lambda node: f"#emph[{_inside(node)}];",
    "link": _inside,
    "image": _nothing,
    "code_inline": _raw,
    "code_block": _raw,
    "fence": _raw,
    "bullet_list": _items("list"),
    "ordered_list": _items("enum"),
    "table": _table,
    "th": lambda node: f"#strong[{_inside(node)}];",
    "td": _inside,
}
