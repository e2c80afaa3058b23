"""One archive on several devices, through a folder that some other program synchronises."""
