"""Tests of one archive on several devices."""
