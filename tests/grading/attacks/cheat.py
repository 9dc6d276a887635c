"""Attacks on the points: tests that cannot fail, verdicts that say yes, the reference itself."""

ATTACKS = {
    "strips-asserts": r"""
import ast
class Strip(ast.NodeTransformer):
    def visit_Assert(self, node):
        return ast.Pass()
    def visit_Raise(self, node):
        return ast.Pass()
get_ipython().ast_transformers.append(Strip())
""",
    "patches-tests": r"""
import sys, types
import numpy as np, numpy.testing, course_lib.exercises.hints
for module in (numpy.testing, course_lib.exercises.hints):
    for name in dir(module):
        if callable(getattr(module, name)):
            setattr(module, name, lambda *args, **kwargs: "")
class Yes(types.ModuleType):
    def __getattr__(self, name):
        return lambda *args, **kwargs: True
for name in ("numpy.testing", "torch.testing", "course_lib.exercises.hints", "pytest", "unittest"):
    sys.modules[name] = Yes(name)
""",
    "patches-respond": r"""
import json, course_lib.exercises.kernel_protocol
def respond(namespace, request):
    return json.dumps([{"value": True, "changed": [], "points": 22} for _ in json.loads(request)["cases"]])
course_lib.exercises.kernel_protocol.respond = respond
""",
    "patches-to-plain": r"""
import course_lib.exercises.kernel_protocol
course_lib.exercises.kernel_protocol.encode = lambda value: {"other": "right"}
course_lib.exercises.kernel_protocol._answer = lambda *rest: {"value": [True], "changed": []}
course_lib.exercises.kernel_protocol.blocked = None
""",
    "replaces-answers": r"""
import sys, types
fake = types.ModuleType("course_lib.exercises.kernel_protocol")
fake.respond = lambda namespace, request: '{"points": 22, "verdict": "right"}'
sys.modules["course_lib.exercises.kernel_protocol"] = fake
""",
    "patches-json": r"""
import json
real = json.dumps
def dumps(value, **kwargs):
    text = real(value, **kwargs)
    return text.replace("error", "value")
json.dumps = dumps
""",
    "patches-import": r"""
import builtins
real = builtins.__import__
def fake(name, *rest, **kwargs):
    if "answers" in name:
        raise ImportError("all answers are right")
    return real(name, *rest, **kwargs)
builtins.__import__ = fake
""",
    "patches-shell": r"""
shell = get_ipython()
shell.run_captured = lambda source: [{"output_type": "execute_result", "data": {"text/plain": "22"}}]
shell._showtraceback = lambda *rest: None
shell.run_cell = lambda *rest, **kwargs: None
""",
    "forges-result": r"""
from IPython.display import display
display(22)
get_ipython().showtraceback = lambda *rest, **kwargs: None
22
""",
    "looks-for-the-reference": r"""
import gc, importlib, inspect, sys
for name in ("checks", "course_grading", "course_grading.questions", "course_grading.bank"):
    attempt("import " + name, importlib.import_module, name)
found = [frame.filename for frame in inspect.stack()]
for thing in gc.get_objects(0) + gc.get_objects(1) + gc.get_objects(2):
    if type(thing).__name__ in ("Question", "Misconception", "Part", "ProblemSet", "GradingJob"):
        attempt("find a check in memory", lambda: thing)
frame = sys._getframe()
while frame:
    if "reference" in frame.f_locals or "reference" in frame.f_globals:
        attempt("find a reference in a frame", lambda: frame)
    frame = frame.f_back
""",
    "runs-the-solution": r"""
import nbformat
def solution():
    notebook = nbformat.read(COURSE + "/solutions/ps01/ps01.ipynb", as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            exec(cell.source, globals())
    return "solved"
attempt("run the solution", solution)
attempt("run the checks", lambda: exec(open(COURSE + "/solutions/ps01/checks.py").read(), globals()))
""",
    "writes-the-gradebook": r"""
import glob, os, sqlite3
def write(path):
    os.stat(path)
    with sqlite3.connect(path) as gradebook:
        gradebook.execute("UPDATE grade SET auto_score = 22, manual_score = 22, extra_credit = 22")
        gradebook.execute("UPDATE student SET last_name = 'mine'")
for path in (COURSE + "/gradebook.db", "/tmp/gradebook.db", "gradebook.db", *glob.glob("/*/gradebook.db")):
    attempt("write " + path, write, path)
attempt("write a record", open, COURSE + "/records/ps01/rival.json", "w")
""",
    "overwrites-a-rival": r"""
import shutil
for step in ("submitted", "autograded", "feedback"):
    attempt("overwrite " + step, open, COURSE + f"/{step}/rival/ps01/ps01.ipynb", "w")
    attempt("remove " + step, shutil.rmtree, COURSE + "/" + step)
attempt("overwrite the solution", open, COURSE + "/solutions/ps01/ps01.ipynb", "a")
attempt("overwrite the checks", open, COURSE + "/solutions/ps01/checks.py", "a")
attempt("overwrite the configuration", open, COURSE + "/nbgrader_config.py", "a")
""",
    "copies-a-rival": r"""
attempt("copy a rival", lambda: open(COURSE + "/submitted/rival/ps01/ps01.ipynb").read())
attempt("copy a rival's marks", lambda: open(COURSE + "/autograded/rival/ps01/ps01.ipynb").read())
""",
}
