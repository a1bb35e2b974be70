"""The server process, static files, database engines, backup: how the site starts and stores. Imported by no room."""
