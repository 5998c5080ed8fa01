"""Settled queries to belief in what is true: which claims, which supports, which memory."""
