"""What a student's code calls is seen while it runs, however it is written; its steps and its memory are counted."""

import functools
import subprocess
import sys

import numpy as np
import pytest
import torch

from course_lib import functional
from course_lib.exercises.calls import memory, pieces, steps, watched

X = torch.randn(2, 3, requires_grad=True)
SDPA = torch.nn.functional.scaled_dot_product_attention
MODULE, NETWORK = torch.nn.Softmax(-1), torch.nn.RNN(3, 2)


def told(forbidden, function):
    with watched(forbidden) as calls:
        function()
    return calls.message


@pytest.mark.parametrize(
    ("name", "calls"),
    [
        ("numpy.convolve", lambda: np.convolve([1], [2])),
        ("numpy.convolve", lambda: np.polymul([1, 2], [2, 3])),
        ("numpy.*correlate", lambda: np.correlate([1], [2])),
        ("torch.softmax", lambda: torch.softmax(X, -1)),
        ("torch.softmax", lambda: functools.partial(torch.softmax, dim=-1)(X)),
        ("torch.softmax", lambda: list(map(torch.softmax, [X], [-1]))),
        ("torch.Tensor.softmax", lambda: X.softmax(-1)),
        ("torch.Tensor.softmax", lambda: torch.Tensor.softmax(X, -1)),
        ("torch.Tensor.softmax", lambda: torch.nn.Parameter(X.detach()).softmax(-1)),
        ("torch.Tensor.backward", lambda: X.sum().backward()),
        ("torch.nn.functional.softmax", lambda: MODULE(X)),
        ("torch.nn.Softmax", lambda: MODULE(X)),
        ("torch.nn.RNN", lambda: NETWORK(X)),
        ("torch.nn.functional.scaled_dot_product_attention", lambda: SDPA(X, X, X)),
        ("torch.*.scaled_dot_product_attention", lambda: torch._C._nn.scaled_dot_product_attention(X, X, X)),
        ("torch.ops.aten.*softmax*", lambda: torch.ops.aten._softmax(X, -1, False)),
        ("torch.ops.aten.*softmax*", lambda: torch.ops.aten._softmax.default(X, -1, False)),
        ("torch._functorch.*", lambda: torch.func.jacrev(torch.sin)(X)),
        ("course_lib.functional.*", lambda: functional.softmax(np.eye(2))),
    ],
)
def test_a_forbidden_call_is_told_with_its_line(name, calls):
    found = told([name], calls)
    assert " is called in line " in found
    assert found.endswith(": this question asks you to do without it.")
    assert "*" in name or found.startswith(f"{name} is called in line ")
    assert told(["numpy.outer", "torch.outer", "torch.Tensor.outer"], calls) == ""


IMPORTED_INSIDE = """
from course_lib.exercises.calls import watched

def answer(x):
    import torch
    return {}

with watched(["{}", "torch.utils.*", "torch._functorch.*", "torch.autograd.*"]) as calls:
    answer([1.0, 2.0])
print(calls.message)
"""


@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("torch.softmax", "torch.exp(torch.tensor(x)).sum()"),
        ("torch.softmax", "list(map(torch.softmax, [torch.tensor(x)], [-1]))"),
        ("torch.nn.Softmax", "torch.nn.Softmax(-1)(torch.tensor(x))"),
    ],
)
def test_to_import_a_library_in_a_function_is_no_call_and_to_use_it_is_one(tmp_path, name, result):
    path = tmp_path / "answer.py"
    path.write_text(IMPORTED_INSIDE.format(result, name), encoding="utf-8")
    found = subprocess.run([sys.executable, path], check=True, capture_output=True, text=True).stdout.strip()
    expected = "" if ".exp(" in result else f"{name} is called in line 6, `return "
    assert found[: len(expected) or None] == expected


def test_it_is_told_through_what_it_was_called_if_not_by_its_name():
    assert " (through polymul): " in told(["numpy.convolve"], lambda: np.polymul([1, 2], [2, 3]))


class Convolution:
    def convolve(self, x):
        return x

    def softmax(self, x):
        return x

    backward = softmax


@pytest.mark.parametrize("name", ["convolve", "softmax", "backward"])
def test_a_method_of_the_students_own_is_not_forbidden_by_its_name(name):
    forbidden = ["numpy.convolve", "torch.softmax", "torch.Tensor.softmax", "torch.Tensor.backward"]
    assert told(forbidden, lambda: getattr(Convolution(), name)(X)) == ""


def test_what_the_question_itself_calls_is_not_the_students():
    source = "def entry_point(function):\n    return np.convolve([1], [2])\n"
    scope = {"np": np}
    exec(compile(source, "<question>", "exec"), scope)
    with watched(["numpy.convolve"]) as calls:
        np.apply_along_axis(len, 0, np.ones(3))  # some code of the student's
    assert calls.message == ""
    with watched(["numpy.convolve"]) as calls:
        scope["entry_point"](None)
    assert calls.message == ""


def test_a_call_in_a_thread_is_seen():
    import threading

    thread = threading.Thread(target=lambda: np.convolve([1], [2]))
    with watched(["numpy.convolve"]) as calls:
        thread.start()
        thread.join()
    assert calls.message.startswith("numpy.convolve is called in line ")


def test_steps_grow_with_a_loop_and_not_with_an_array():
    def loop(n):
        return sum(x * x for x in range(n))

    def at_once(n):
        return (np.arange(n) ** 2).sum()

    few, many = (steps(loop, n)[1] for n in (100, 1100))
    assert 1000 <= many - few <= 3000
    assert steps(at_once, 100)[1] == steps(at_once, 1100)[1]


def test_pieces_grow_with_a_loop_over_rows_and_not_with_one_over_numbers():
    def powers(x):
        return x * np.array([0.5**i for i in range(len(x))])[:, None]

    def loop(x):
        return [row @ row for row in x]

    def in_torch(x):
        return [row @ row for row in torch.from_numpy(x).unbind()]

    few, many = np.ones((10, 2)), np.ones((110, 2))
    assert pieces(powers, few)[1] == pieces(powers, many)[1]
    for function in (loop, in_torch):
        assert pieces(function, many)[1] - pieces(function, few)[1] >= 100


def row_by_row(n):
    return [np.zeros((n, 2))[i] @ np.ones((2, n)) @ np.ones(n) for i in range(n)]


def in_a_helper(n):
    def row(i):
        return (np.zeros(n) + i).sum()

    return [row(i) for i in range(n)]


def test_memory_counts_what_is_made_at_once_and_what_is_made_in_all():
    n = 2000  # a row of numbers is 16 kB, a square 32 MB
    _, at_once, in_all = memory(lambda: (np.zeros((n, n)) + 1).sum())
    assert 32e6 < at_once < 80e6
    assert 32e6 < in_all < 80e6
    for function in (row_by_row, in_a_helper):
        _, at_once, in_all = memory(function, n)
        assert at_once < 1e6
        assert in_all > 32e6
    value, at_once, in_all = memory(lambda: [sum(j for j in range(4)) for i in range(n)])
    assert value == [6] * n
    assert max(at_once, in_all) < 1e6


def test_memory_at_once_can_be_had_without_looking_at_each_line():
    n = 2000
    _, at_once, in_all = memory(lambda: (np.zeros((n, n)) + 1).sum(), by_line=False)
    assert 32e6 < at_once < 80e6
    assert in_all == 0
    assert memory(row_by_row, n, by_line=False)[1] < 1e6


def test_watching_loads_nothing_and_sees_what_is_loaded_meanwhile():
    script = """
import sys
from course_lib.exercises.calls import watched

def softmax(x):
    import torch
    return torch.tensor(x).softmax(-1)

with watched(["course_lib.model.MultiHeadAttention", "torch.softmax", "torch.Tensor.softmax"]) as calls:
    assert "torch" not in sys.modules
    softmax([1.0, 2.0])
print(calls.message)
"""
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert told.startswith("torch.Tensor.softmax is called in line 7")
