"""A session, its log, and how both are stored."""
