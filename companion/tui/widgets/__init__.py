"""The widgets: few, each drawing all it shows at once, so that a key is on screen before the finger is up again."""
