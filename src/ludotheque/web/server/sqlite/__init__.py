"""SQLite for several processes, who stand in line to write."""
