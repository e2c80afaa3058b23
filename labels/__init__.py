"""Printing labels: stocks, designs, QR codes, sheets, PDF and proofs.

A library of its own: it knows paper and ink, and nothing of the games that the labels are for.
"""
