"""Positional encodings: sinusoidal, learned, none, and rotary.

The first three join a vector for the position to each word (`PositionalEncoding`); rotary positions turn queries and
keys instead (`RotaryAttention`). Positions count from 0.
"""

import math

import torch
from torch import Tensor, nn

from course_lib.model.attention import AttentionFunction, attention
from course_lib.model.config import Mode, Position


def angles(length: int, width: int, start: int = 0, device: torch.device | None = None) -> Tensor:
    """Angles position · 10000^(−2k / width), in float64: shape (length, width / 2).

    Parameters
    ----------
    length, start : int
        The positions are `start` … `start` + `length` − 1.
    width : int
        An even number; k = 0 … width / 2 − 1.

    Examples
    --------
    >>> angles(2, width=4).tolist()
    [[0.0, 0.0], [1.0, 0.01]]
    """
    positions = torch.arange(start, start + length, dtype=torch.float64, device=device)
    exponents = torch.arange(0, width, 2, dtype=torch.float64, device=device) / width
    return positions.unsqueeze(1) / 10000**exponents


class PositionalEncoding(nn.Module):
    """Positional encoding, added to the words or appended to them.

    Parameters
    ----------
    d_position : int
        Width of the encoding φ.
    max_length : int
        Number of positions in the table of learned encodings. The sinusoidal ones have no such limit.
    kind : {"sinusoidal", "learned", "none", "rotary"}
        φ_2k = sin(angle_k) and φ_2k+1 = cos(angle_k); a trained table; zeros (an ablation); zeros, since
        `RotaryAttention` does the work.
    mode : {"add", "append"}
        x + φ, which needs d = d_position, or [x; φ], of width d + d_position.

    Raises
    ------
    ValueError
        If a sinusoidal encoding has odd width, or a learned one is asked for a position past its table.

    Notes
    -----
    Document A, "What is Positional Encoding?" (added), and document B, section 10.3.2 (appended);
    Vaswani et al. (2017), section 3.5.

    Examples
    --------
    >>> PositionalEncoding(4)(torch.zeros(1, 1, 4)).tolist()
    [[[0.0, 1.0, 0.0, 1.0]]]
    >>> PositionalEncoding(4, mode="append")(torch.zeros(1, 2, 3)).shape
    torch.Size([1, 2, 7])
    """

    def __init__(
        self, d_position: int, max_length: int = 512, kind: Position = "sinusoidal", mode: Mode = "add"
    ) -> None:
        super().__init__()
        if kind == "sinusoidal" and d_position % 2:
            raise ValueError(f"a sinusoidal encoding needs an even width, not {d_position}")
        self.d_position, self.kind, self.mode = d_position, kind, mode
        if kind == "learned":
            self.table = nn.Parameter(torch.randn(max_length, d_position) / math.sqrt(d_position))

    def forward(self, x: Tensor, start: int = 0) -> Tensor:
        """Encode the positions `start` … `start` + L − 1 of `x`, of shape (B, L, d)."""
        phi = self.encoding(x.shape[1], start, x.device).to(x.dtype)  # (L, d_position)
        if self.mode == "add":
            return x + phi
        return torch.cat([x, phi.expand(len(x), -1, -1)], dim=-1)  # (B, L, d + d_position)

    def encoding(self, length: int, start: int = 0, device: torch.device | None = None) -> Tensor:
        """Return φ of `length` positions from `start` on, (L, d_position)."""
        if self.kind == "learned":
            if start + length > len(self.table):
                last, rows = start + length - 1, len(self.table)
                raise ValueError(f"x: position {last} was asked for, but only {rows} are learned")
            return self.table[start : start + length]
        if self.kind == "sinusoidal":
            theta = angles(length, self.d_position, start, device)
            return torch.stack([theta.sin(), theta.cos()], dim=-1).flatten(1)  # (L, d/2, 2) -> (L, d)
        return torch.zeros(length, self.d_position, device=device)


def rotate(x: Tensor, start: int = 0) -> Tensor:
    """Turn the pairs of columns of `x` by angles that grow with the position.

    Columns 2k and 2k + 1, read as a complex number, are multiplied by exp(i · angle_k).

    Parameters
    ----------
    x : Tensor
        Shape (…, L, d), d even: positions `start` … `start` + L − 1.

    Raises
    ------
    ValueError
        If d is odd.

    Notes
    -----
    Su et al. (2021), "RoFormer: Enhanced Transformer with Rotary Position Embedding".

    Examples
    --------
    >>> rotate(torch.tensor([[1.0, 0.0], [1.0, 0.0]]))  # by 0, and by 1 radian
    tensor([[1.0000, 0.0000],
            [0.5403, 0.8415]])
    """
    if x.shape[-1] % 2:
        raise ValueError(f"x {tuple(x.shape)}: rotary positions need an even width (d_k)")
    theta = angles(x.shape[-2], x.shape[-1], start, x.device)  # (L, d/2)
    cos, sin = theta.cos().to(x.dtype), theta.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]  # (…, L, d/2) each
    turned = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1)  # (…, L, d/2, 2)
    return turned.flatten(-2)


class RotaryAttention:
    """Attention with rotary positions (RoPE): queries and keys are turned first, so scores depend on distances alone.

    The last query stands at the position of the last key: all L of them in self-attention, or one new query and the
    keys of all positions up to its own.

    Parameters
    ----------
    attention_function : AttentionFunction
        What is computed from the turned queries and keys.

    Notes
    -----
    Su et al. (2021), equation 16.

    Examples
    --------
    >>> x = torch.tensor([[1.0, 0.0], [1.0, 0.0]])
    >>> RotaryAttention()(x, x, x)[1].round(decimals=2)
    tensor([[0.5800, 0.4200],
            [0.4200, 0.5800]])
    """

    def __init__(self, attention_function: AttentionFunction = attention) -> None:
        self.attention_function = attention_function

    def __call__(
        self, queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None, dropout: float = 0.0
    ) -> tuple[Tensor, Tensor | None]:
        """Return output (…, L_q, d_v) and weights (…, L_q, L_k), as `attention` does."""
        start = keys.shape[-2] - queries.shape[-2]
        return self.attention_function(rotate(queries, start), rotate(keys), values, mask, dropout)
