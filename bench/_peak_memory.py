"""`python -m bench._peak_memory ARGUMENTS`: run boardsat, then print its peak memory in bytes."""

import sys
from pathlib import Path

from boardsat.cli import main

code = main(sys.argv[1:])
# What the kernel tells a parent would count the parent's own memory in, from before the start.
status = Path("/proc/self/status").read_text()
peak = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
print(int(peak.split()[1]) * 1024, flush=True)
sys.exit(code)
