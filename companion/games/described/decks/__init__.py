"""The inscribed decks of a described game: storage, forms, prints and evenings."""
