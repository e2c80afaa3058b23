"""What the commands that print share: options, a run from its plan to how it came out, sheets and printers."""
