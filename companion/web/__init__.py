"""Pages for phones on the local network: they show a table, live, and forward what people do. Nothing is served unless
somebody asks for it, and nothing here is loaded before.
"""
