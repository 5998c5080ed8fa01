import os
import tempfile

# Read when mem0 is imported: its own folder would be made in the home of whoever runs the tests.
os.environ.setdefault("MEM0_DIR", tempfile.mkdtemp(prefix="memspan-mem0-"))
