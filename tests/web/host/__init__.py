"""The host's pages, as browsers of this machine and strangers get them."""
