"""Django's PostgreSQL backend, which reports within seconds that the server is down."""
