"""The server process: how the site starts, speaks HTTP, stores, backs up and deletes. Imported by no room."""
