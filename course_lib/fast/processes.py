"""Processes that train one model together, on one machine or many: data-parallel training with `torchrun`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeVar

import torch
from torch import Tensor, distributed

if TYPE_CHECKING:
    from course_lib.text.batches import Batch

T = TypeVar("T")
PATIENCE = timedelta(hours=2)  # for which processes wait while the first one validates


@dataclass(frozen=True)
class Processes:
    """The processes that train one model together, as one of them sees them.

    Each has the whole model. Of every batch each takes some of the pairs, and their gradients are averaged before the
    step, so that all take the same one.

    Attributes
    ----------
    rank : int
        The number of this process; number 0, the first, measures and writes files.
    size : int
        How many there are.
    by_torchrun : bool
        Whether `torchrun` has started them, which may start them again by the same command.

    Notes
    -----
    Li et al. (2020), "PyTorch Distributed: Experiences on Accelerating Data Parallel Training", section 2.3. PyTorch's
    own `DistributedDataParallel` sends gradients while others are still computed, which pays for larger models.

    Examples
    --------
    >>> alone = Processes()
    >>> alone.is_first, alone.any(False), alone.gathered("state"), alone.total(torch.tensor(2.0)).item()
    (True, False, ['state'], 2.0)
    """

    rank: int = 0
    size: int = 1
    by_torchrun: bool = False

    @property
    def is_first(self) -> bool:
        """Whether this is the process that measures and writes files."""
        return self.rank == 0

    def part(self, batch: Batch) -> tuple[Batch, float]:
        """Return this process's pairs of a batch, and what its mean loss counts in the mean over the processes.

        The factors make the mean over the processes the mean over all target tokens of the batch. Where there are fewer
        pairs than processes, some repeat a pair, which counts nothing.

        Examples
        --------
        >>> from course_lib.text.batches import Batch
        >>> ids = torch.tensor([[5, 6], [7, 0], [8, 0]])
        >>> mine, factor = Processes(rank=1, size=2).part(Batch(ids, ids, ids))
        >>> mine.target_out.tolist(), factor
        ([[7]], 0.5)
        """
        if self.size == 1:
            return batch, 1.0
        rows = slice(self.rank, None, self.size)
        mine = batch[rows if self.rank < len(batch) else slice(0, 1)]
        n_mine = mine.n_target_tokens if self.rank < len(batch) else 0
        return mine, self.size * n_mine / batch.n_target_tokens

    def share(self, parameters: Iterable[Tensor]) -> None:
        """Give every process the first one's parameters."""
        if self.size > 1:
            for parameter in parameters:
                distributed.broadcast(parameter.data, src=0)

    def average_gradients(self, parameters: Iterable[Tensor]) -> None:
        """Replace each gradient by its mean over the processes: all of them in one message."""
        gradients = [p.grad for p in parameters if p.grad is not None]
        if self.size > 1:
            together = self.total(torch.cat([gradient.flatten() for gradient in gradients])) / self.size
            for gradient, mean in zip(gradients, together.split([g.numel() for g in gradients]), strict=True):
                gradient.copy_(mean.view_as(gradient))

    def any(self, condition: bool) -> bool:
        """Whether the condition holds in any of the processes."""
        return condition if self.size == 1 else self.total(torch.tensor(float(condition))).item() > 0

    def total(self, x: Tensor) -> Tensor:
        """Sum of a tensor over the processes."""
        if self.size == 1:
            return x
        total = x.clone()
        distributed.all_reduce(total)
        return total

    def gathered(self, thing: T) -> list[T]:
        """Return what each process has, by rank."""
        things = [thing] * self.size
        if self.size > 1:
            distributed.all_gather_object(things, thing)
        return things

    def from_first(self, make: Callable[[], T]) -> T:
        """Return what the first process makes; the others make nothing, and wait for it."""
        made: list[Any] = [make() if self.is_first else None]
        if self.size > 1:
            distributed.broadcast_object_list(made)
        return made[0]


@contextmanager
def launched_processes() -> Iterator[Processes]:
    """Join the processes that `torchrun` has started, gloo on CPUs and NCCL on GPUs; without it, this one is alone.

    Examples
    --------
    >>> with launched_processes() as processes:
    ...     processes.size
    1
    """
    if not distributed.is_torchelastic_launched():
        yield Processes()
        return
    rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    backend = "gloo"
    if torch.cuda.is_available():
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
        backend = "cpu:gloo,cuda:nccl"
    distributed.init_process_group(
        backend, store=_store_of_this_attempt(), rank=rank, world_size=size, timeout=PATIENCE
    )
    try:
        yield Processes(rank, size, by_torchrun=True)
        distributed.barrier()  # nobody leaves while another still needs an answer
    finally:
        distributed.destroy_process_group()


def _store_of_this_attempt() -> Any:
    """Return where the processes find each other's addresses; None leaves it to PyTorch.

    `torchrun` keeps one such store for all attempts, in which those who are started again would find the addresses of
    the dead and wait for them (pytorch/pytorch issue 135712).
    """
    here = os.environ
    if here.get("TORCHELASTIC_USE_AGENT_STORE") != "True" or here["TORCHELASTIC_MAX_RESTARTS"] == "0":
        return None
    if here["LOCAL_WORLD_SIZE"] != here["WORLD_SIZE"]:  # each machine counts attempts for itself
        raise ValueError(
            "several machines, and restarts: set TORCH_DISABLE_SHARE_RDZV_TCP_STORE=1 for torchrun on each, or "
            "processes that are started again may wait for those that died"
        )
    store = distributed.TCPStore(  # type: ignore[attr-defined]
        here["MASTER_ADDR"], int(here["MASTER_PORT"]), is_master=False
    )
    return distributed.PrefixStore(  # type: ignore[attr-defined]
        f"attempt {here['TORCHELASTIC_RESTART_COUNT']}", store
    )
