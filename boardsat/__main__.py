"""`python -m boardsat`."""

import os
import sys

# `-m` puts the working directory first on the import path. Both modules above are loaded whenever
# Python starts; whatever is imported from here on is not taken from that folder. What Python itself
# has imported to come here may be: the command `boardsat` and `python -P` avoid that too.
if not sys.flags.safe_path:
    try:
        if sys.path[0] in ("", os.getcwd()):  # noqa: PTH109
            del sys.path[0]
    except OSError:
        # A removed working directory is on no path.
        pass

from boardsat.cli import main

sys.exit(main())
