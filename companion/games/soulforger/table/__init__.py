"""What players see: the view, the questions with their candidates, and the ways on."""
