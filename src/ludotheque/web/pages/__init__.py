"""Views only: one module for each family of addresses."""
