"""Pages for phones on the local network, which show a table live and forward players' actions.

Nothing is served unless the user asks for it, and nothing here is loaded before.
"""
