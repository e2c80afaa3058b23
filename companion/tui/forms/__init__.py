"""The forms of the screens, and what their answers do."""
