"""Markdown for paper: every page of rules can be set, and nothing in it is mistaken for Typst's own signs."""

import pytest
from typst import compile as compile_typst

import ludotheque
from ludotheque import Box, words
from ludotheque.pictures.output.typst_markup import typst

every_game = pytest.mark.parametrize("box", ludotheque.games(), ids=lambda box: box.key)


@pytest.mark.parametrize(
    ("markdown", "markup"),
    [
        ("## Goal", "#heading(level: 2)[Goal];"),
        ("# Goal", "#heading(level: 2)[Goal];"),
        ("Two\nlines, *soft* and **strong**.", "Two lines, #emph[soft]; and #strong[strong];."),
        ("`a1`(b) [#1]", r'#raw("a1", block: false);(b) \[\#1\]'),
        ('`\\"`', r'#raw("\\\"", block: false);'),
        ("```text\n○ ■\n■\n```", r'#raw("○ ■\n■", block: true);'),
        ("- one\n- **two**", "#list([one], [#strong[two];]);"),
        ("1. one\n2. two\n   - three", "#enum([one], [two\n\n#list([three]);]);"),
        ("![a board](position:start)", ""),
        ("before\n\n![a board](position:start)\n\nafter", "before\n\nafter"),
        ("[here](https://example.org)", "here"),
    ],
)
def test_each_kind_of_markdown(markdown: str, markup: str) -> None:
    assert typst(markdown) == markup


def test_a_table() -> None:
    markup = typst("| a | b |\n|---|---|\n| 1 | `x` |")
    assert markup.startswith("#table(columns: 2, ")
    assert markup.endswith('[#strong[a];], [#strong[b];], [1], [#raw("x", block: false);]);')


def test_a_section_is_left_out() -> None:
    assert typst("## A\n\none\n\n## Options\n\ntwo\n\n### more\n\n## B\n\nthree", without="Options") == (
        "#heading(level: 2)[A];\n\none\n\n#heading(level: 2)[B];\n\nthree"
    )


def test_what_is_unknown_is_refused() -> None:
    with pytest.raises(ValueError, match="no Typst markup is known for blockquote"):
        typst("> quoted")


@every_game
def test_all_rules_can_be_set(box: Box) -> None:
    for lang in words.LANGUAGES:
        source = typst(words.rules(box.rules.stem, lang))
        assert compile_typst(source.encode()).startswith(b"%PDF")
