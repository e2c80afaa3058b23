"""Spreadsheets and other files of rows: how they are opened, and what their cells show."""
