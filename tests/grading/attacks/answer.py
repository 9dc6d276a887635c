"""Attacks that wait in an answer (to question 2, in numbers) until a check asks for it."""


def returning(expression: str, before: str = "") -> str:
    """Write an answer whose second function returns an expression; its first fails, and with it the visible tests."""
    first = "def receptive_field(k, n_layers):\n    return -1\n"
    return f"{before}\n{first}\ndef layers_needed(distance, k):\n    return {expression}\n"


EQUAL = """
class Equal(BASE):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
    def __reduce__(self): return (exec, ("import os; os.abort()",))
    def __array__(self, *rest, **kwargs): return __import__("numpy").ones(3)
    def __str__(self): return "5"
    def __repr__(self): return "5"
    def __float__(self): return 5.0
    def __index__(self): return 5
    def __iter__(self): return iter([5])
    def __len__(self): return 1
    dtype = shape = __class__
    def __getattr__(self, name): return self
"""

ANSWERS = {
    "equals-everything": returning(
        "Equal()", EQUAL.replace("(BASE)", "").replace("    dtype = shape = __class__\n", "")
    ),
    "equals-as-a-float": returning(
        "Equal(7.5)", EQUAL.replace("BASE", "float").replace("    dtype = shape = __class__\n", "")
    ),
    "equals-as-a-text": returning(
        "Equal('5')", EQUAL.replace("BASE", "str").replace("    dtype = shape = __class__\n", "")
    ),
    "lies-about-its-class": returning(
        "Liar()",
        "import numpy as np\nclass Liar:\n    __class__ = np.ndarray\n    dtype = np.dtype('float64')\n    shape = ()\n"
        "    def __array__(self, *rest, **kwargs): return np.array(5.0)\n    def tobytes(self): return b'x'\n",
    ),
    "endless-list": returning(
        "Endless()", "class Endless(list):\n    def __iter__(self):\n        while True: yield 1\n"
    ),
    "endless-mapping": returning(
        "Endless()",
        "import collections\nclass Endless(dict):\n    def items(self):\n        while True: yield 'a', 1\n",
    ),
    "list-in-itself": returning("x", "x = []\nx.append(x)\n"),
    "deep-list": returning("x", "x = 5\nfor _ in range(900):\n    x = [x]\n"),
    "no-number": returning("float('nan')"),
    "infinite": returning("float('inf')"),
    "none": returning("None"),
    "huge-integer": returning("10**4000"),
    "huge-integer-for-json": returning("10**5000"),
    "huge-integers-in-a-list": returning("[10**400, -10**400]"),
    "half-a-character": returning("'\\ud800'"),
    "long-name": returning("{'x' * 10**6 + str(n): 5 for n in range(9)}"),
    "long-text": returning("'x' * 15_000_000"),
    "too-long-text": returning("'x' * 10**8"),
    "many-lists": returning("[[] for _ in range(3_000_000)]"),
    "large-array": returning("np.zeros(10**8, dtype=np.uint8)"),
    "shape-without-numbers": returning("np.zeros((0, 10**6, 10**6))"),
    "no-numbers": returning("np.zeros((0,))"),
    "array-of-texts": returning("np.array(['5'])"),
    "array-of-objects": returning("np.array([print, {}], dtype=object)"),
    "array-with-fields": returning("np.zeros(3, dtype=[('a', 'f8'), ('b', 'O')])"),
    "masked-array": returning("np.ma.masked_all(())"),
    "pickled": returning("__import__('pickle').dumps(print)"),
    "complex": returning("5 + 0j"),
    "a-function": returning("print"),
    "a-generator": returning("(5 for _ in range(3))"),
    "forged-plain-value": returning(
        "{'items': [['a', 1]], 'array': 'AAAA', 'dtype': 'object', 'shape': [-1], 'of': 'os'}"
    ),
    "answer-exits": returning("exit()"),
    "answer-sys-exits": returning("__import__('sys').exit(0)"),
    "answer-dies": returning("__import__('os')._exit(0)"),
    "answer-aborts": returning("__import__('os').abort()"),
    "answer-segfaults": returning("__import__('ctypes').string_at(0)"),
    "answer-never-ends": returning("stop()", "def stop():\n    while True: pass\n"),
    "answer-raises-interrupt": returning("stop()", "def stop():\n    raise KeyboardInterrupt\n"),
    "answer-raises-its-own": returning(
        "stop()", "class Mine(BaseException): pass\ndef stop():\n    raise Mine(5)\n"
    ),
    "answer-raises-endless-text": returning(
        "stop()",
        "class Mine(Exception):\n    def __str__(self): return 'x' * 10**8\ndef stop():\n    raise Mine\n",
    ),
    "answer-recurses": returning("layers_needed(distance, k) + 1"),
    "answer-overflows-the-stack": returning(
        "layers_needed(distance, k) + 1", "import sys\nsys.setrecursionlimit(10**9)\n"
    ),
    "answer-floods": returning("print('flood' * 50_000_000)"),
    "answer-kills-all": returning("[os.kill(pid, 9) for pid in (0, -1)]", "import os\n"),
    "answer-leaves-a-process": returning("subprocess.Popen(['sleep', MARK]).pid", "import subprocess\n"),
    "answer-takes-all-memory": returning("[bytearray(10**8) for _ in range(100)]"),
    "answer-learns": returning(
        "5",
        "import sys\ndef show(frame, event, argument):\n    print(frame.f_locals)\nsys.setprofile(show)\n",
    ),
    "deep-source": returning("-" * 20_000 + "1"),
    "long-chain-in-source": returning("k" + ".real" * 950),
    "many-chains-in-source": returning("[" + ",".join(["k" + ".real" * 300] * 100) + "]"),
    "no-python": "def layers_needed(distance, k: return (\n",
    "zero-bytes-in-source": returning("'\0'"),
    "magic-in-source": "%%bash\nsleep $MARK &\necho 5\n",
}
