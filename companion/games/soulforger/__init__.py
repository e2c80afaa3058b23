"""Soul-Forger: creatures and weapons under a Ronum Limit, levels by Side Quests and kills; the last one left wins."""
