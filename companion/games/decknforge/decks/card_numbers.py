"""The numbers of cards in passports and in the codes of labels, which never change."""

from __future__ import annotations

from typing import Final

CARDS: Final = (
    *("2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "10S", "JS", "QS", "KS", "AS"),
    *("2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H", "10H", "JH", "QH", "KH", "AH"),
    *("2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "10C", "JC", "QC", "KC", "AC"),
    *("2D", "3D", "4D", "5D", "6D", "7D", "8D", "9D", "10D", "JD", "QD", "KD", "AD"),
    *("BJ", "RJ"),
)
"""A card's number in a passport is its index here, from 0."""
