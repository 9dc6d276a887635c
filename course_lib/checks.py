"""Validation: settings of the models, and what goes into an attention. All raise ValueError."""

from typing import Literal, get_args, get_origin, get_type_hints

import torch
from torch import Tensor


def check_choices(config: object) -> None:
    """Validate the attributes of a dataclass whose type is a `Literal`.

    Raises
    ------
    ValueError
        If a value is none of those listed, naming the attribute, the value and what there is.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Lamp:
    ...     colour: Literal["red", "green"]
    >>> check_choices(Lamp("blue"))
    Traceback (most recent call last):
        ...
    ValueError: colour: expected one of 'red', 'green', not 'blue'
    """
    for name, options in get_type_hints(type(config)).items():
        if get_origin(options) is Literal and getattr(config, name) not in get_args(options):
            allowed = ", ".join(map(repr, get_args(options)))
            raise ValueError(f"{name}: expected one of {allowed}, not {getattr(config, name)!r}")


def check_joint_vocabulary(tie: str, n_source_vocab: int, n_target_vocab: int) -> None:
    """Validate that a matrix shared by both languages has one vocabulary.

    Raises
    ------
    ValueError
        If `tie` is "three-way" and the numbers differ.
    """
    if tie == "three-way" and n_source_vocab != n_target_vocab:
        sizes = f"n_source_vocab = {n_source_vocab} and n_target_vocab = {n_target_vocab}"
        raise ValueError(f'tie = "three-way" needs a joint vocabulary, but {sizes}')


def check_attention(queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None) -> None:
    """Validate the inputs of an attention function.

    Raises
    ------
    ValueError
        If their shapes do not fit, or the mask is not boolean: as `attention` says.
    """
    q, k, v = tuple(queries.shape), tuple(keys.shape), tuple(values.shape)
    if q[-1] != k[-1]:
        raise ValueError(f"queries {q} and keys {k}: the last axes must be equal (d_k)")
    if k[-2] != v[-2]:
        raise ValueError(f"keys {k} and values {v}: there must be one value per key (L_k)")
    if mask is not None and mask.dtype != torch.bool:
        raise ValueError(f"mask: expected a boolean tensor, True where allowed, not {mask.dtype}")
