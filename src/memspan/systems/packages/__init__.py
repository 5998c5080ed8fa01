"""The packages of others as memory systems, one file each; none is imported until it is used."""
