"""The display of a dungeon: its view, the questions with their candidates, and its facts."""
