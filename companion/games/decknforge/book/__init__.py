"""The table as data, and the inscriptions and labels that are in force at it."""
