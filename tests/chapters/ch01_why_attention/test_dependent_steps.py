"""The longest chain of matrix products, on graphs whose chain is known."""

import pytest
import torch

from course_lib.chapters.ch01_why_attention.dependent_steps import longest_chain, seconds_side_by_side


def square() -> torch.Tensor:
    return torch.eye(2, requires_grad=True)


@pytest.mark.parametrize("n", [1, 7, 3000])
def test_a_chain_is_as_long_as_it_was_made_and_what_is_done_to_entries_does_not_count(n):
    A, x = square(), torch.eye(2)
    for _ in range(n):
        x = (x @ A).tanh() + 1
    assert longest_chain(x) == n


def test_of_two_branches_the_longer_counts_once():
    A = square()
    shared = A @ A @ A
    assert longest_chain(shared @ (shared @ A @ A @ A)) == 2 + 3 + 1


def test_a_tree_is_as_deep_as_its_logarithm():
    parts = [square() for _ in range(16)]
    while len(parts) > 1:
        parts = [a @ b for a, b in zip(parts[::2], parts[1::2], strict=True)]
    assert longest_chain(parts[0]) == 4


def test_a_ladder_with_exponentially_many_paths_is_no_trouble():
    x = square()
    for _ in range(200):
        x = x.sin() @ x.cos()
    assert longest_chain(x) == 200


def test_layers_wait_for_as_many_products_as_they_are_said_to():
    x, W = torch.ones(1, 9, 2, requires_grad=True), square()
    q, k, v = x @ W, x @ W, x @ W
    assert longest_chain((q @ k.mT).softmax(dim=-1) @ v) == 3
    assert longest_chain(torch.nn.Conv1d(2, 2, 3)(x.mT)) == 1


def test_what_was_not_recorded_is_refused():
    with pytest.raises(ValueError, match="computed from a parameter"):
        longest_chain(torch.ones(2))


def test_functions_are_called_in_turn_after_a_first_call_each():
    called = []
    times = seconds_side_by_side(
        {"a": lambda: called.append("a"), "b": lambda: called.append("b")}, repeats=3
    )
    assert "".join(called) == "abababab"
    assert list(times) == ["a", "b"]
    assert all(t >= 0 for t in times.values())
