"""What layers cost: counts against sums done another way, chains and paths that are known, fits that are exact."""

import math
import time

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from course_lib import functional
from course_lib.chapters.ch04_self_attention import complexity
from course_lib.fast import fused_attention
from course_lib.model import MultiHeadAttention, attention


class TestLayers:
    @pytest.mark.parametrize("name", complexity.LAYERS)
    def test_keep_the_length_and_have_the_parameters_and_products_of_the_formula(self, name):
        L, d, d_v = 7, 6, 4
        layer, x = complexity.build(name, L, d, d_v), complexity.sequence(L, d)
        assert layer(x).shape == (1, L, d_v)
        expected = {  # parameters, and products not with a parameter, each written out
            "self-attention": (3 * 6 * 4, 7 * 7 * 4 + 7 * 7 * 4),
            "RNN": (6 * 4 + 4 * 4, 0),
            "GRU": (3 * (6 * 4 + 4 * 4), 0),
            "LSTM": (4 * (6 * 4 + 4 * 4), 0),
            "convolution": (5 * 6 * 4, 0),
            "dense": (7 * 6 * 7 * 4, 0),
        }
        parameters, more = expected[name]
        uses = 1 if name == "dense" else L  # how often each parameter is multiplied with something
        assert complexity.parameters(layer) == parameters
        assert complexity.counted_multiply_adds(layer, x) == uses * parameters + more
        assert complexity.formula(name, L, d, d_v) == (uses * parameters + more, parameters)

    def test_self_attention_is_that_of_numpy(self):
        layer, x = complexity.build("self-attention", 5, 6, 3).double(), complexity.sequence(5, 6).double()
        output, weights = layer.with_weights(x)
        W_Q, W_K, W_V = (W.weight.detach().numpy().T for W in (layer.W_Q, layer.W_K, layer.W_V))
        X = x[0].numpy()
        expected, expected_weights = functional.attention(X @ W_Q, X @ W_K, X @ W_V)
        np.testing.assert_allclose(output[0].detach().numpy(), expected, rtol=1e-10)
        np.testing.assert_allclose(weights[0].detach().numpy(), expected_weights, rtol=1e-10)

    def test_convolution_sees_as_far_to_the_left_as_to_the_right(self):
        layer, x = complexity.build("convolution", 9, 2), torch.zeros(1, 9, 2)
        x[0, 4] = 1.0
        assert (layer(x)[0] != 0).any(-1).nonzero().ravel().tolist() == [2, 3, 4, 5, 6]

    def test_seeds_decide_the_weights(self):
        first, same, other = (complexity.build("GRU", 3, 4, seed=seed) for seed in (1, 1, 2))
        x = complexity.sequence(3, 4)
        assert torch.equal(first(x), same(x))
        assert not torch.equal(first(x), other(x))

    def test_unknown_names_are_refused(self):
        for function in (complexity.build, complexity.formula):
            with pytest.raises(ValueError, match="expected one of self-attention"):
                function("transformer", 3, 4)


class TestCounting:
    def test_fused_attention_is_counted_like_the_readable_one(self):
        x = complexity.sequence(6, 8)
        counts = {
            function: complexity.counted_multiply_adds(
                MultiHeadAttention(8, 2, bias=False, attention_function=function).eval(), x
            )
            for function in (attention, fused_attention)
        }
        assert counts[attention] == counts[fused_attention] == 4 * 6 * 8 * 8 + 2 * 6 * 6 * 8

    def test_frozen_parameters_do_not_count(self):
        layer = nn.Linear(3, 2)
        layer.bias.requires_grad_(False)
        assert complexity.parameters(layer) == 6

    def test_leaves_pytorch_as_it_was_and_warns_of_nothing(self, recwarn):
        before = torch.backends.mkldnn.enabled
        complexity.counted_multiply_adds(complexity.build("LSTM", 3, 4), complexity.sequence(3, 4))
        assert torch.backends.mkldnn.enabled == before
        assert not recwarn.list


class TestChains:
    @pytest.mark.parametrize("L", [2, 5, 200])
    def test_recurrent_layers_wait_once_for_each_word_and_the_others_not(self, L):
        steps = {
            name: complexity.dependent_steps(complexity.build(name, L, 2), complexity.sequence(L, 2))
            for name in complexity.LAYERS
        }
        assert steps == {
            "self-attention": 3,
            "RNN": L,
            "GRU": L,
            "LSTM": L,
            "convolution": 1,
            "dense": 1,
        }

    def test_side_by_side_is_one_step_and_nothing_is_none(self):
        a, b = nn.Linear(2, 2, bias=False), nn.Linear(2, 2, bias=True)
        assert complexity.dependent_steps(lambda x: a(x) + b(x), torch.ones(3, 2)) == 1
        assert complexity.dependent_steps(lambda x: a(b(x)) + b(x), torch.ones(3, 2)) == 2
        assert complexity.dependent_steps(torch.tanh, torch.ones(3, 2)) == 0


class TestPaths:
    def layers_for(self, name, L, source, target):
        def layer(n):
            return complexity.build(name, L, 3, seed=n).double()

        return complexity.fewest_layers(layer, L, 3, source=source, target=target, most=6)

    @pytest.mark.parametrize("distance", [0, 1, 2, 3, 4, 5, 9])
    def test_a_convolution_goes_two_words_further_with_each_layer(self, distance):
        for source, target in [(0, distance), (distance, 0)]:
            assert self.layers_for("convolution", 10, source, target) == max(1, math.ceil(distance / 2))

    @pytest.mark.parametrize("name", ["RNN", "GRU", "LSTM"])
    def test_recurrent_layers_reach_every_later_word_at_once_and_no_earlier_one_ever(self, name):
        assert self.layers_for(name, 8, 0, 7) == self.layers_for(name, 8, 3, 3) == 1
        assert self.layers_for(name, 8, 7, 0) == self.layers_for(name, 8, 4, 3) == math.inf

    @pytest.mark.parametrize("name", ["self-attention", "dense"])
    def test_attention_and_dense_layers_reach_everything_at_once(self, name):
        assert self.layers_for(name, 8, 7, 0) == self.layers_for(name, 8, 0, 7) == 1


class TestTiming:
    def test_the_shortest_call_counts_and_the_first_does_not(self, monkeypatch):
        clock = iter([0.0, 5.0, 10.0, 12.0, 20.0, 29.0])
        monkeypatch.setattr(complexity.time, "process_time", lambda: next(clock))
        calls = []
        assert complexity.seconds(lambda: calls.append(1), repeats=3, budget=100) == 2.0
        assert len(calls) == 4

    def test_stops_when_the_budget_is_spent(self, monkeypatch):
        clock = iter([0.0, 5.0, 10.0, 12.0, 20.0, 29.0])
        monkeypatch.setattr(complexity.time, "process_time", lambda: next(clock))
        assert complexity.seconds(lambda: None, repeats=3, budget=4.0) == 5.0

    def test_takes_no_gradients_and_one_thread_and_leaves_both_as_they_were(self):
        threads = torch.get_num_threads()
        torch.set_num_threads(2)
        seen = []
        try:
            complexity.seconds(
                lambda: seen.append((torch.is_grad_enabled(), torch.get_num_threads())), repeats=1
            )
            with pytest.raises(ZeroDivisionError):
                complexity.seconds(lambda: 1 / 0)
            assert torch.get_num_threads() == 2
        finally:
            torch.set_num_threads(threads)
        assert seen == [(False, 1), (False, 1)]
        assert torch.is_grad_enabled()

    def test_waiting_is_not_counted(self):
        assert complexity.seconds(lambda: time.sleep(0.05), repeats=1) < 0.04

    def test_layers_with_too_many_parameters_are_left_out(self):
        times = complexity.layer_seconds([3, 30], 2, ["dense", "RNN"], largest=40)
        assert np.isfinite(times["dense"]).tolist() == [True, False]
        assert np.isfinite(times["RNN"]).all()

    @pytest.mark.parametrize("exponent", [0.5, 1.0, 2.0])
    def test_the_exponent_is_that_of_the_last_finite_points(self, exponent):
        lengths = np.array([4.0, 8, 16, 32, 64])
        measured = 3e-7 * lengths**exponent
        measured[:2] = [1.0, 9.0]  # before the fit begins
        measured[-1] = math.nan
        assert complexity.fitted_exponent(lengths, measured, points=2) == pytest.approx(exponent)

    def test_a_fit_needs_its_points(self):
        with pytest.raises(ValueError, match="points is 4, with 2 finite"):
            complexity.fitted_exponent([1, 2, 4], [1.0, 2.0, math.nan])
        with pytest.raises(ValueError, match="points is 1"):
            complexity.fitted_exponent([1, 2, 4], [1.0, 2.0, 3.0], points=1)


def test_the_readable_path_that_is_counted_is_pytorchs_attention():
    layer, x = complexity.build("self-attention", 6, 5), complexity.sequence(6, 5)
    theirs = F.scaled_dot_product_attention(layer.W_Q(x), layer.W_K(x), layer.W_V(x))
    torch.testing.assert_close(layer(x), theirs, rtol=1e-5, atol=1e-6)
