"""Other systems on this machine, to run the tests on: other Pythons, releases of Debian, and Windows under Wine."""
