"""The table without a screen: its clients, confirmations, forms, and other programs at the same table."""
