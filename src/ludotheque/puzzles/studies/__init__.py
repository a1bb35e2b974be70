"""Studies for the curious: counts over everything there is, or over samples, that can be stopped and resumed."""
