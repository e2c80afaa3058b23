"""The display of a table: the view, the questions with their candidates, and the ways on."""
