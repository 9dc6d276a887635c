"""The memories of chapter 13: what they compute, and that they learn."""

import torch

from course_lib.chapters.ch13_fast import linear


def test_linear_attention_is_the_sum_over_pairs():
    memory, (keys, values) = (
        linear.Memory(linear.elu_plus_one, width=4),
        linear.draw(2, 5, torch.Generator().manual_seed(0)),
    )
    Q, K = linear.elu_plus_one(memory.queries(keys)), linear.elu_plus_one(memory.keys(keys))
    A = Q @ K.mT  # what the state never forms
    expected = memory.read(A @ memory.values(values) / A.sum(dim=2, keepdim=True))
    assert torch.allclose(memory(keys, values), expected, atol=1e-6)


def test_keys_of_a_list_are_all_different():
    keys, values = linear.draw(50, linear.MOST, torch.Generator().manual_seed(1))
    assert all(len(set(row)) == linear.MOST for row in keys.tolist())
    assert values.min() == 0
    assert values.max() == linear.N_VALUES - 1


def test_an_untrained_memory_knows_as_much_as_chance():
    found = linear.recall(linear.trained(None, 1), 16)
    assert abs(found - 1 / linear.N_VALUES) < 0.1
