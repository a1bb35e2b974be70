"""How Sphinx builds the site of the docs, from the pages that `build.py` laid out."""

import inspect
import re
from dataclasses import is_dataclass

import interface
from sphinx.application import Sphinx

RULES = re.compile(r"rules/(\w+)/")
GLUED_CODE = re.compile(r"(`[^`]+`)(?=\w)")  # `show`s

project = "Ludothèque"
author = copyright = "The Ludothèque maintainers"  # noqa: A001 - Sphinx's name
html_title = "Ludothèque"
language = "en"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "index"
highlight_language = "none"  # a block that names no language is for a shell, or a table of characters
smartquotes = False

myst_enable_extensions = ["html_image"]
myst_heading_anchors = 4

# Links that lead nowhere fail, in prose and in signatures. What other packages call their things is not checked, for
# their inventories would have to be fetched; nor are types of modules that are no part of the reference.
nitpicky = True
nitpick_ignore_regex = [
    ("py:.*", r"(?!ludotheque\.).*"),
    ("py:class", r".*\.[RS]"),  # type variables
    *(("py:.*", rf"{re.escape(module)}\.\w+") for module in interface.inner()),
]

autodoc_default_options = {"members": True, "ignore-module-all": True}
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_mock_imports = ["pyspiel", "open_spiel"]
default_role = "code"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 90
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["pictures.css", "site.css"]
html_copy_source = False
html_show_sphinx = False
html_permalinks_icon = "#"
pygments_style = "friendly"
pygments_dark_style = "github-dark"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1f6f8b", "color-brand-content": "#1f6f8b"},
    "dark_css_variables": {"color-brand-primary": "#7cc4dd", "color-brand-content": "#7cc4dd"},
}


def in_its_language(_app: Sphinx, page: str, _template: str, context: dict[str, object], _doctree: object) -> None:
    """Rules are marked with the language they are in; what stands round them is English."""
    if found := RULES.match(page):
        context["body"] = f'<div lang="{found[1]}">{context["body"]}</div>'


def as_restructured_text(
    _app: Sphinx, _what: str, _name: str, _obj: object, _options: object, lines: list[str]
) -> None:
    """Docstrings are prose with code in it: a block that is indented is code, and an asterisk is an asterisk.

    What Python itself says of a field of a `NamedTuple` is no news.
    """
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()
    written: list[str] = []
    code = doctest = False
    for line in lines:
        indented = line.startswith("    ")
        if indented and not code and written and not written[-1]:
            written += ["::", ""]
            code = True
        code = code and (indented or not line)
        doctest = line.startswith(">>>") or (doctest and bool(line))
        written.append(line if code or doctest else GLUED_CODE.sub(r"\1\ ", line).replace("*", r"\*"))
    lines[:] = written


def names_of_fields(
    _app: Sphinx, what: str, _name: str, obj: object, _options: object, signature: str | None, returns: str | None
) -> tuple[str | None, str | None]:
    """A record is made from its fields, which stand below with their types: their names are enough."""
    is_record = is_dataclass(obj) or hasattr(obj, "_fields")
    if what != "class" or not is_record or not callable(obj):
        return signature, returns
    given = inspect.signature(obj).parameters.values()
    names = [each.name if each.default is each.empty else f"{each.name}=..." for each in given]
    return f"({', '.join(names)})", returns


def setup(app: Sphinx) -> None:
    app.connect("autodoc-process-signature", names_of_fields)
    app.connect("html-page-context", in_its_language)
    app.connect("autodoc-process-docstring", as_restructured_text)
