"""Label printing: stocks, designs, QR codes, sheets, PDF files and proofs.

The package is a library of its own. It knows paper and ink, and nothing of the games that the labels are for.
"""
