"""Fitting on materials what is used on others."""
