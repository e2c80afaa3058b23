"""What people read: messages in English, their catalogues in other languages, and the choice of a language."""
