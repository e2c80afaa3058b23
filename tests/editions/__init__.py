"""What every edition of this program left behind, and that today's still reads it."""
