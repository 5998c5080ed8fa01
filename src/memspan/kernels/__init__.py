"""Arrays in, arrays out: compiled kernels in `fast`, their slow plain twins in `plain`.

No nouns and no input checks. A fast module imports numba, so callers import it where they use it and
use the twin for small inputs: small jobs never wait for a compiler.
"""
