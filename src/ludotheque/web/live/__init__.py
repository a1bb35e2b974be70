"""WebSocket connections of table pages, and who is told when a table changes."""
