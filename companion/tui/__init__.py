"""The Textual screens. They draw every game from its `TableView` and know nothing else about it."""
