"""The one place where speed is chosen: device, precision, kernels and loss for a model."""

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar, get_args

import torch
from torch import Tensor, nn

from course_lib.fast.caches import Module, sharing
from course_lib.fast.kernels import ByteDropout, fused
from course_lib.fast.loss import smoothed_cross_entropy
from course_lib.model.attention import MultiHeadAttention
from course_lib.model.recurrent import RecurrentTranslator
from course_lib.model.transformer import Transformer
from course_lib.special_ids import PAD_ID

Precision = Literal["auto", "float32", "bfloat16"]
TranslationModel = Transformer | RecurrentTranslator
Model = TypeVar("Model", bound=TranslationModel)


@dataclass(frozen=True)
class Prepared(Generic[Model]):
    """A model that is set up for speed.

    Attributes
    ----------
    model : nn.Module
        Computes what the original does, with faster parts; its parameters are the original's.
    device : torch.device
        Where they are.
    dtype : torch.dtype
        What matrix products are computed in, in training.
    """

    model: Model
    device: torch.device
    dtype: torch.dtype

    def loss(self, source: Tensor, target_in: Tensor, target_out: Tensor, smoothing: float = 0.0) -> Tensor:
        """Label-smoothed cross-entropy a target token of a batch, in nats, under teacher forcing.

        Parameters
        ----------
        source, target_in, target_out : Tensor
            Ids, (B, L_s), (B, L_t) and (B, L_t), padded on the right. Padding is no word to predict, so it has no
            part in the loss.
        smoothing : float
            Share of the target distribution that is spread evenly over the vocabulary.
        """
        with torch.autocast(self.device.type, self.dtype, enabled=self.dtype != torch.float32):
            hidden = self.model.hidden(source, target_in)  # (B, L_t, d)
        real = target_out != PAD_ID
        weight = self.model.output.weight
        return smoothed_cross_entropy(hidden[real].float(), weight, target_out[real], smoothing, self.dtype)


def prepare(
    model: Model, device: torch.device | None = None, precision: Precision = "float32"
) -> Prepared[Model]:
    """Set a model up for speed: fused attention, cheap dropout, device and precision.

    What a variant has injected – another attention function, rotary positions, other parts – stays.

    Parameters
    ----------
    model : Transformer or RecurrentTranslator
        Moved to the device; otherwise it stays as it is, and can be read, looked into and saved.
    device : torch.device, optional
        Where to compute; where the model is, if not given.
    precision : {"auto", "float32", "bfloat16"}
        Arithmetic of the matrix products in training; see `choose_dtype`.

    Examples
    --------
    >>> from course_lib.model import TransformerConfig
    >>> model = Transformer(TransformerConfig(10, 12, d_model=8))
    >>> fast = prepare(model).model
    >>> fast.output.weight is model.output.weight
    True
    """
    if device is not None:
        model.to(device)
    where = next(model.parameters()).device
    return Prepared(faster(model), where, choose_dtype(precision, where))


def faster(model: Module) -> Module:
    """Copy of any module with fused attention and cheap dropout, which shares its parameters.

    Parameters
    ----------
    model : nn.Module
        Stays as it is; what it has in place of the library's attention function and dropout is kept.

    Examples
    --------
    >>> layer = MultiHeadAttention(d_model=4, n_heads=2)
    >>> faster(layer)(torch.zeros(1, 3, 4))[1] is None, layer(torch.zeros(1, 3, 4))[1] is None
    (True, False)
    """
    twin = sharing(model)
    for part in list(twin.modules()):
        if isinstance(part, MultiHeadAttention):
            part.attention_function = fused(part.attention_function)
        for name, child in part.named_children():
            if type(child) is nn.Dropout:
                part.register_module(name, ByteDropout(child.p).train(child.training))
    return twin


def choose_device(name: str = "auto") -> torch.device:
    """Return the device of that name; "auto" takes a CUDA GPU where there is one."""
    return torch.device(
        "cuda" if name == "auto" and torch.cuda.is_available() else "cpu" if name == "auto" else name
    )


def choose_dtype(precision: Precision, device: torch.device) -> torch.dtype:
    """Return the dtype in which matrix products are computed."""
    if precision not in get_args(Precision):
        raise ValueError(f"precision: expected one of {', '.join(get_args(Precision))}, not {precision!r}")
    if precision == "auto":
        if device.type == "cuda":
            precision = "bfloat16" if torch.cuda.is_bf16_supported(including_emulation=False) else "float32"
        else:
            capabilities = torch.cpu.get_capabilities()
            has_bfloat16 = capabilities.get("avx512_bf16") or capabilities.get("amx_bf16")
            precision = "bfloat16" if device.type == "cpu" and has_bfloat16 else "float32"
    return torch.bfloat16 if precision == "bfloat16" else torch.float32
