"""PostgreSQL as Django has it, but whoever finds it gone says so soon."""
