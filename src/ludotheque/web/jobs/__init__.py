"""Long work off the event loop: process pools or the Dramatiq queue over Redis, in fair turns, and PNG files."""
