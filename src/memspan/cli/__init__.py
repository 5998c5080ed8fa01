"""The command line: one file per verb; each parses, calls and prints."""
