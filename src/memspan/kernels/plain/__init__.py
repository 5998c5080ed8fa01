"""Plain twins of the kernels: short, slow, obviously right; used for small inputs and as oracle."""
