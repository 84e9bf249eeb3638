"""`python -m bench._pysat_bounds GRAPH FILE`: exactly two edges of every vertex, with PySAT."""

import sys
from collections import defaultdict
from pathlib import Path

from pysat.card import CardEnc, EncType
from pysat.formula import CNF

edges_of: dict[str, list[int]] = defaultdict(list)
number = 0
for line in Path(sys.argv[1]).read_text().splitlines():
    number += 1
    for end in line.split():
        edges_of[end].append(number)
cnf, top = CNF(), number
for edges in edges_of.values():
    constraint = CardEnc.equals(edges, 2, top_id=top, encoding=EncType.seqcounter)
    cnf.extend(constraint.clauses)
    top = constraint.nv
cnf.to_file(sys.argv[2])
