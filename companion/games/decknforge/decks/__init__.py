"""Bands as they are stored: their records, stories, prints, passports, and the forms to found and adopt them."""
