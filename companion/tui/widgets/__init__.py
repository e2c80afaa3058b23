"""The widgets: few, each drawing its whole content at once, so that a key's effect is on screen before the key is
released.
"""
