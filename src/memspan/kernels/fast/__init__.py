"""Kernels compiled by numba: import these only where they are used."""
