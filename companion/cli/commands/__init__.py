"""The commands: a module or a package for each, with a click command or group named `command`."""
