"""Validation of settings that are one of a few words."""

from typing import Literal, get_args, get_origin, get_type_hints


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
