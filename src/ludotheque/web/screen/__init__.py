"""What one seat sees of a table: the view, its words, its HTML, and what changed since the page last looked."""
