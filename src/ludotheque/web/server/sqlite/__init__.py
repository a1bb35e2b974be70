"""Django's SQLite backend, whose writers of one process wait for each other without polling."""
