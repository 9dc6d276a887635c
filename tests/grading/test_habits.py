"""Honest habits that have nothing to do with the answers: a right notebook that has them keeps all its points."""

from collections.abc import Iterator

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from course_grading.cells import identify
from course_grading.grade import grade
from course_grading.problem_sets import ProblemSet, load_problem_set
from course_grading.sandbox import Sandbox, SandboxedKernel
from tests.support.classroom import ROOT

pytestmark = pytest.mark.needs("sandbox")

# Lines above the imports, in the cell that all answers need: what stops there loses everything.
ABOVE = {
    "plots inline": "%matplotlib inline",
    "plots in Jupyter's way": "%matplotlib",
    "plots as a widget": "%matplotlib widget",
    "plots in the old notebook": "%matplotlib notebook",
    "plots in a window of Qt": "%matplotlib qt",
    "pylab": "%pylab inline --no-import-all",
    "sharp figures": "%config InlineBackend.figure_format = 'retina'",
    "matplotlib.use": "import matplotlib\nmatplotlib.use('TkAgg')\nimport matplotlib.pyplot as plt\nplt.figure()",
    "another backend": "import matplotlib.pyplot as plt\nplt.switch_backend('QtAgg')\nplt.ion()\nplt.plot([1, 2])",
    "a backend for files": "import matplotlib\nmatplotlib.use('Agg')\nimport matplotlib.pyplot as plt\nplt.plot([1])",
    "saves often": "%autosave 60",
    "asks how to connect": "%connect_info",
    "opens a console": "%qtconsole",
    "edits a cell": "%edit",
    "clears the screen": "%clear",
    "reads pages": "%less /etc/fonts/fonts.conf\n%more /etc/fonts/fonts.conf\n%man ls",
    "loads again": "%load_ext autoreload\n%autoreload 2",
    "an extension of their own": "%load_ext jupyter_black",
    "a magic of their own": "%memit sum(range(1000))",
    "a window system": "%gui tk",
    "pip": "%pip --version",
    "a line for the shell": "!ls -la\nfiles = !ls",
    "another folder": "%cd /tmp\n%pwd\n%cd ~",
    "environment": "%env OMP_NUM_THREADS=2\n%env",
    "times": "%time 1 + 1\n%timeit -n 1 -r 1 sum(range(10))\n%prun sum(range(10))",
    "prints": "%precision 3\n%pprint\n%xmode Verbose\n%colors NoColor",
    "looks around": "%who\n%whos\n%history\n%lsmagic\n%magic\n%quickref",
    "help": "import json\n?json.dumps\njson.dumps??\n%pinfo json\n%pdoc json.dumps\nhelp(json.dumps)",
    "debugger off": "%pdb off",
    "stored names": "%store -r",
    "await": "import asyncio\nawait asyncio.sleep(0)",
    "a task": "import asyncio\ntask = asyncio.create_task(asyncio.sleep(0))\nawait task",
    "the running loop": "import asyncio\nasyncio.get_running_loop().call_soon(print, 'later')",
    "async with": "import asyncio\nlock = asyncio.Lock()\nasync with lock:\n    pass",
    "files of the outputs": "import sys\nsys.stdout.fileno(), sys.stderr.fileno(), sys.stdout.flush()",
    "fault handler": "import faulthandler\nfaulthandler.enable()",
    "Jupyter's kernel": "kernel = get_ipython().kernel\nkernel.shell.user_ns, kernel.do_shutdown, kernel.session",
    "where am I": "get_ipython().__class__.__name__, 'IPKernelApp' in get_ipython().config",
    "In and Out": "len(In), Out, _, __, _i",
    "many threads": "import threading, time\n"
    "threads = [threading.Thread(target=time.sleep, args=(0.2,)) for _ in range(80)]\n"
    "for thread in threads:\n    thread.start()\nfor thread in threads:\n    thread.join()",
    "pools": "from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor\n"
    "import multiprocessing\nwith multiprocessing.Pool(2) as pool:\n    pool.map(abs, range(9))\n"
    "with ThreadPoolExecutor() as pool:\n    list(pool.map(abs, range(9)))",
    "three gigabytes unused": "import numpy\nlazy = numpy.zeros(3 * 10**9, dtype=numpy.uint8)\nlazy[:10] = 1",
    "strict numbers": "import numpy\nnumpy.seterr(all='raise')",
    "printing of numbers": "import numpy\nnumpy.set_printoptions(precision=2, suppress=True)",
    "seeds": "import random, numpy\nrandom.seed(0)\nnumpy.random.seed(0)",
    "warnings": "import warnings\nwarnings.simplefilter('error')",
    "a log": "import logging\nlogging.basicConfig(level=logging.DEBUG)\nlogging.info('begun')",
    "a progress bar": "from tqdm.auto import tqdm\nfor _ in tqdm(range(3)):\n    pass",
    "a progress bar of widgets": "from tqdm.notebook import tqdm\nfor _ in tqdm(range(3)):\n    pass",
    "widgets": "from ipywidgets import interact\ninteract(lambda x: x, x=(0, 3))",
    "folders and files": "import os\nos.makedirs('figures', exist_ok=True)\nopen('figures/notes.txt', 'w').write('x')",
    "a database": "import sqlite3\nsqlite3.connect(':memory:').execute('select 1').fetchall()",
    "another Python": "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'import numpy'], check=True)",
    "deep recursion": "import sys, gc\nsys.setrecursionlimit(10_000)\ngc.disable()",
    "signals": "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\nsignal.alarm(0)",
    "annotations": "from __future__ import annotations",
    "at the end": "import atexit\natexit.register(print, 'bye')",
    "underscores": "_ = 5\nfor __ in range(2):\n    _ = __",
    "display": "from IPython.display import display, Markdown, Math, Image, Javascript, clear_output\n"
    "display(Markdown('*x*'), Math('x'), Javascript('1'))\nclear_output()",
    "names of its own": "import numpy\nsum_ = sum\nlist_ = list\nx = X = 1",
    "where it is": "from pathlib import Path\nPath.cwd(), Path.home(), Path('.').resolve()",
    "torch": "import torch\ntorch.set_num_threads(2)\ntorch.manual_seed(0)\n"
    "device = 'cuda' if torch.cuda.is_available() else 'cpu'",
}
# Cells of their own, in which an error may well be: one after the other.
BETWEEN = {
    "a module": [
        "%%writefile helper.py\ntwice = lambda x: 2 * x",
        "import helper\nassert helper.twice(3) == 6",
    ],
    "a module that is run": ["%%writefile helper.py\nvalue = 6", "%run helper.py\nassert value == 6"],
    "a module that is read": ["%%writefile helper.py\nvalue = 6", "%load helper.py", "%pycat helper.py"],
    "the last result": ["6 * 7", "assert _ == 42 and 42 in Out.values() and '6 * 7' in In"],
    "starts afresh": ["x = 5", "%reset -f", "assert 'x' not in globals()"],
    "cells for other languages": [
        "%%bash\nls",
        "%%html\n<b>x</b>",
        "%%latex\nx",
        "%%javascript\n1",
        "%%sh\nls",
    ],
    "cells that are timed": [
        "%%time\ny = 1",
        "%%timeit -n 1 -r 1\nsum([1])",
        "%%capture out\nprint(1)",
        "assert y == 1",
    ],
    "asks for input": ["name = input('Who? ')"],
    "debugs": ["1 / 0", "%debug", "breakpoint()"],
    "gives up": ["raise SystemExit('enough')", "exit()", "quit"],
    "needs what is not here": ["import tensorflow", "open('/content/drive/data.csv')"],
    "an unfinished line": ["def f(x:", "    for"],
    "a magic that is none": ["%%tensorboard\n--logdir runs", "%notthere", "!notthere"],
    "takes too much": ["x = bytearray(10**11)", "x = [0] * 10**11"],
    "a background task": [
        "import asyncio\ntask = asyncio.create_task(asyncio.sleep(100))",
        "await asyncio.sleep(0.05)\nassert not task.done()",
    ],
    "a background thread": [
        "import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()",
        "threading.Thread(target=time.sleep, args=(60,)).start()",
    ],
}
FAILS_AS_IN_JUPYTER = {
    "asks for input", "debugs", "gives up", "needs what is not here", "an unfinished line", "a magic that is none",
    "takes too much", "a module that is read",
}  # fmt: skip


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(["numpy", "torch", "course_lib.exercises.hints"]) as made:
        yield made


@pytest.fixture(scope="module")
def ours() -> ProblemSet:
    return load_problem_set(ROOT / "solutions" / "ps01")


def right_notebook(ours: ProblemSet) -> NotebookNode:
    return ours.with_answers({name: ours.solution(name) for name in ours.questions})


def errors(cell: NotebookNode) -> list[str]:
    return [f"{output.ename}: {output.evalue}" for output in cell.outputs if output.output_type == "error"]


def loses_nothing(ours: ProblemSet, sandbox: Sandbox, notebook: NotebookNode) -> None:
    with SandboxedKernel(sandbox) as kernel:
        verdicts, incidents = grade(ours, [identify(cell) for cell in notebook.cells], kernel, b"any")
    lost = {name: verdict.messages for name, verdict in verdicts.items() if verdict.points != verdict.out_of}
    assert (lost, incidents) == ({}, [])


@pytest.mark.share(3)
@pytest.mark.parametrize("habit", ABOVE)
def test_a_habit_above_the_imports_loses_nothing(ours: ProblemSet, sandbox: Sandbox, habit: str) -> None:
    notebook = right_notebook(ours)
    imports = next(cell for cell in notebook.cells if cell.cell_type == "code")
    imports.source = ABOVE[habit] + "\n" + imports.source
    loses_nothing(ours, sandbox, notebook)
    assert errors(imports) == []


@pytest.mark.share(3)
@pytest.mark.parametrize("habit", BETWEEN)
def test_a_cell_of_their_own_costs_nothing_elsewhere(ours: ProblemSet, sandbox: Sandbox, habit: str) -> None:
    notebook = right_notebook(ours)
    cells = [new_code_cell(source) for source in BETWEEN[habit]]
    notebook.cells[1:1] = cells
    loses_nothing(ours, sandbox, notebook)
    if habit not in FAILS_AS_IN_JUPYTER:
        assert [error for cell in cells for error in errors(cell)] == []
