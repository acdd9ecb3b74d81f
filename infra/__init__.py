"""What every app uses and that knows none of them: database, cache, task queue, addresses, permissions."""
