"""Long work off the event loop: process pools, and the Dramatiq queue that replaces them when Redis is there."""
