"""Printed matter: turns wording and records into runs of labels, and leaves the printing to the labels library."""
