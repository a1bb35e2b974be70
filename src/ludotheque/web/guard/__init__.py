"""What protects the site from its visitors: rate limits, request sizes, security headers, database outages."""
