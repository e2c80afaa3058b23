"""The pages for hosts: everything that the terminal offers, in a browser on the machine that serves."""
