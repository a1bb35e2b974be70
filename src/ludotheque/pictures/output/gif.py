"""A whole match as an animated GIF."""

import io
from collections.abc import Sequence

from ludotheque.extras import extra
from ludotheque.pictures.output.film import LAST_FRAME_BEATS
from ludotheque.pictures.output.frames import Frame
from ludotheque.pictures.output.raster import png

with extra("pictures"):
    from PIL import Image

COLOURS = 160
SAMPLE_FRAMES = 8  # the palette is taken from about so many frames


def gif(frames: Sequence[Frame], seconds: float, width: int, *, night: bool | None = None) -> bytes:
    """All frames as an animated GIF."""
    pictures = [png(frame.picture(night=bool(night)), width) for frame in frames]
    images = [Image.open(io.BytesIO(data)).convert("RGB") for data in pictures]
    colours = _palette(images)
    flat = [image.quantize(palette=colours, dither=Image.Dither.NONE) for image in images]
    times = [round(1000 * seconds)] * (len(flat) - 1) + [round(1000 * seconds * LAST_FRAME_BEATS)]
    file = io.BytesIO()
    flat[0].save(file, "GIF", save_all=True, append_images=flat[1:], duration=times, loop=0, optimize=True)
    return file.getvalue()


def _palette(images: list[Image.Image]) -> Image.Image:
    """Colours for all frames: every colour that fills some area in some of them counts the same, however small."""
    few = images[:: max(1, len(images) // SAMPLE_FRAMES)] + images[-1:]
    found: dict[tuple[int, int, int], int] = {}
    for image in few:
        for number, colour in image.getcolors(image.width * image.height) or ():
            assert isinstance(colour, tuple)
            found[colour[0], colour[1], colour[2]] = max(number, found.get((colour[0], colour[1], colour[2]), 0))
    common = sorted(found, key=lambda colour: -found[colour])[:COLOURS]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in common for part in colour])
    return palette
