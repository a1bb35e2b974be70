"""Our games as other libraries know games."""
