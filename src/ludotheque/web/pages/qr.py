"""QR codes of addresses, to be scanned from a screen: dark on light, by day and by night."""

from io import BytesIO

import segno
from django.utils.safestring import SafeString, mark_safe

ERROR_CORRECTION = "m"  # a smear or a reflection on the screen does no harm
QUIET_MODULES = 4  # the margin that scanners need
DARK, LIGHT = "#000", "#fff"


def code(text: str) -> segno.QRCode:
    return segno.make_qr(text, error=ERROR_CORRECTION)


def file(text: str) -> str:
    """An SVG file."""
    out = BytesIO()
    code(text).save(out, kind="svg", border=QUIET_MODULES, dark=DARK, light=LIGHT, omitsize=True, xmldecl=False)
    return out.getvalue().decode()


def inline(text: str) -> SafeString:
    """The same for the middle of a page: what is in it is in no other address."""
    drawn = code(text).svg_inline(border=QUIET_MODULES, dark=DARK, light=LIGHT, omitsize=True, svgclass="qr")
    return mark_safe(drawn)  # noqa: S308 - a path of modules
