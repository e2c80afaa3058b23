"""Paper: stocks with their dies, sheets of labels, and the calibration of printers."""
