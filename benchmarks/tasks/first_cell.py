"""Run the first code cell of a chapter, its imports.

python first_cell.py 02_attention
"""

import sys
from pathlib import Path

import nbformat

path = Path(__file__).resolve().parents[2] / "notebooks" / f"{sys.argv[1]}.ipynb"
notebook = nbformat.read(path, as_version=4)
exec(next(cell.source for cell in notebook.cells if cell.cell_type == "code"))
print("{}")
