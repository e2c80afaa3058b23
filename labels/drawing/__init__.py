"""Drawing on a page in colour or one bit: ink, pictures, codes."""
