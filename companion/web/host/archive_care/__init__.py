"""The pages for the archive: backups, exports, imports, and the tasks that take their time."""
