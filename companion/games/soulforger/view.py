TITLE = "Soul-Forger"
