"""A kernel in which one notebook runs: its cells, and, when it is graded, the requests of the checks.

What comes out of the kernel is text that a student's code may have written, and is read with distrust.
"""

from __future__ import annotations

import ast
import contextlib
import math
from collections.abc import Sequence
from typing import Self

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

SECONDS_A_CELL, SECONDS_A_REQUEST = 60, 20


class KernelFailure(ValueError):
    """The kernel gave no answer. The message says why, in words for the student."""


class StoppedError(KernelFailure):
    """It did not end in time, and would not the next time."""


class Kernel:
    """A Python kernel with nothing in it yet.

    Parameters
    ----------
    folder : str
        Where it runs; the present one where not given.
    seconds_a_cell, seconds_a_request : int
        What takes longer is stopped.

    Examples
    --------
    >>> cell = nbformat.v4.new_code_cell("print(6 * 7)")
    >>> with Kernel() as kernel:
    ...     kernel.run(cell)
    >>> cell.outputs[0].text
    '42\\n'
    """

    def __init__(
        self,
        folder: str = "",
        seconds_a_cell: int = SECONDS_A_CELL,
        seconds_a_request: int = SECONDS_A_REQUEST,
    ) -> None:
        self._folder = folder
        self._seconds_a_cell, self._seconds_a_request = seconds_a_cell, seconds_a_request
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Self:
        """Start the kernel."""
        resources = {"metadata": {"path": self._folder}} if self._folder else {}
        # nbclient puts the outputs of what it runs into a notebook.
        place = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell()])
        quiet = ["--IPKernelApp.log_level=ERROR"]  # it would warn of how it is spoken to
        self._client = NotebookClient(place, allow_errors=True, resources=resources, extra_arguments=quiet)
        self._stack.enter_context(self._client.setup_kernel())
        return self

    def __exit__(self, *error: object) -> None:
        """Stop the kernel."""
        self._stack.close()

    def restart(self) -> None:
        """Go on with a new kernel, in which nothing has been run."""
        # Not gracefully: a loop that is asked to end prints how it was interrupted.
        self._client.shutdown_kernel = "immediate"
        self._stack.close()
        self.__enter__()

    def go_on(self, done: Sequence[str]) -> None:
        """Go on after a failure, with a new kernel in which cells of these sources have been run."""
        self.restart()
        for source in done:
            with contextlib.suppress(KernelFailure):  # it did not fail before: let the next request tell
                self.run(nbformat.v4.new_code_cell(source))

    def run(self, cell: NotebookNode) -> None:
        """Run a code cell and put what comes of it into its outputs. An error in it is one of these.

        Raises
        ------
        KernelFailure
            If the cell takes too long, or the kernel dies of it.
        """
        self._execute(cell, self._seconds_a_cell, "This cell", store_history=True)  # In, Out and _

    def _execute(self, cell: NotebookNode, seconds: int, what: str, store_history: bool = False) -> None:
        cell.outputs = []
        self._client.timeout = seconds
        try:
            self._client.execute_cell(cell, 0, store_history=store_history)
        except CellTimeoutError:
            raise StoppedError(f"{what} was stopped after {seconds} seconds: does it ever end?") from None
        except DeadKernelError:
            raise KernelFailure(f"{what} made Python itself die.") from None

    def respond(self, request: str, share: float = 1.0) -> str:
        """Let the kernel answer a request (`kernel_protocol.respond`) in a share of the time for one.

        Raises
        ------
        KernelFailure
            If no answer comes.
        """
        protocol = "course_lib.exercises.kernel_protocol"
        asking = f"__import__({protocol!r}, fromlist=['respond']).respond(globals(), {request!r})"
        cell = nbformat.v4.new_code_cell(asking)
        self._execute(cell, math.ceil(share * self._seconds_a_request), "Your code")
        for output in cell.outputs:
            if output.output_type == "execute_result":
                with contextlib.suppress(ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
                    answer = ast.literal_eval(output.data["text/plain"])
                    if isinstance(answer, str):
                        return answer
        raise KernelFailure("The kernel gave no answer that can be read.")
