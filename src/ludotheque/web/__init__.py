"""The ludothèque in the browser: a Django project. `scripts/serve` starts it; `docs/guides/keep.md` explains it."""
