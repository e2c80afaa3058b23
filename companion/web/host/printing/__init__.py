"""The host's pages for printing, and for the settings that it goes by: paper, labels, printers, language."""
