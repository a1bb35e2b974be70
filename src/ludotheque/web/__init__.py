"""The ludothèque in the browser: a Django project. `scripts/serve` starts it; `docs/guides/keep.md` explains it."""

from ludotheque.extras import extra

with extra("web"):
    import django  # noqa: F401 - whatever is in here needs it, and more of that extra
