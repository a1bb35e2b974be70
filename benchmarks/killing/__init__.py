"""Sites whose processes are killed while bots play, and what is left afterwards."""
