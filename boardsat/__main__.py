"""`python -m boardsat`."""

import sys

from boardsat.cli import main

sys.exit(main())
