"""The bug clinic, drawn: ten broken Transformers, their losses and where they look, and what is wrong to be told."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from course_lib.chapters.ch09_transformer import bug_clinic
from course_lib.chapters.ch09_transformer.ward import EXAMPLE, WINDOW, bug_of
from course_lib.figures.page import PageFigure

STUCK = 0.3  # a loss that ends above it is drawn on a linear axis
LEVELS = {  # of 4 words of nine kinds on average, and one </s> that comes after 3, 4 or 5 words
    "knows nothing of the source": (4 * np.log(9) + np.log(3)) / 5,
    "knows its length": 4 * np.log(9) / 5,
}
Cells = list[tuple[int, int]]


def clinic(record: Mapping[str, Any], *, patient: int = 3, caption: str = "", number: str = "") -> PageFigure:
    """Show the patients of the clinic at a glance, one of them in full, and ask what is wrong with it.

    Parameters
    ----------
    record : mapping
        As `ward.stored` returns it.
    patient : int
        Which is shown first; 0 is healthy.
    caption, number : str
        As for `PageFigure`.

    Raises
    ------
    ValueError
        If there is no such patient.

    Examples
    --------
    >>> from course_lib.chapters.ch09_transformer import ward
    >>> clinic(ward.stored(), patient=2).title.partition(":")[0]
    'Patient 2'
    """
    patients = record["patients"]
    if not 0 <= patient < len(patients):
        raise ValueError(f"patient is {patient}: expected 0 … {len(patients) - 1}")
    batch = bug_clinic.sentence(EXAMPLE, padding=1)
    props = {
        "patients": [_shown(n, each) for n, each in enumerate(patients)],
        "steps": list(range(WINDOW, WINDOW * len(patients[0]["losses"][0]) + 1, WINDOW)),
        "faults": sorted(bug.name for bug in bug_clinic.BUGS),
        "source": [bug_clinic.ENGLISH[i] for i in batch.source[0]],
        "predicted": [bug_clinic.FRENCH[i] for i in batch.target_out[0]],
        "levels": [{"says": says, "loss": float(level)} for says, level in LEVELS.items()],
        "patient": patient,
    }
    return PageFigure("clinic", props, caption=caption, number=number)


def _shown(number: int, found: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is drawn of one patient: the interface Patient in web/src/figures/clinic.tsx."""
    losses, bug = np.array(found["losses"]), bug_of(number)
    curve = {"low": losses.min(axis=0), "middle": np.median(losses, axis=0), "high": losses.max(axis=0)}
    return {
        "name": f"Patient {number}" if number else "Healthy",
        "losses": {name: values.tolist() for name, values in curve.items()},
        "log": bool(curve["middle"][-1] < STUCK),
        "own": found["own"],
        "cross": found["cross"],
        "read": found["read"],
        "right": float(np.median(found["exact"])),
        "writes": found["writes"],
        "fault": bug.name if number else "",
        "should": bug.right,
        "is": bug.wrong,
        "guilty": guilty(bug.name, len(found["own"]), len(found["cross"][0])),
    }


def guilty(fault: str, n_words: int, n_source: int) -> dict[str, Cells]:
    """Return the cells of the two maps that give a fault away, if any do; the last word of the source is padding.

    Parameters
    ----------
    fault : str
        The name of a bug.
    n_words, n_source : int
        The rows of both maps, and the columns of the map of the source.

    Examples
    --------
    >>> guilty("target not shifted", 2, 3)
    {'own': [(0, 0), (1, 1)], 'cross': []}
    """
    rows = range(n_words)
    own: dict[str, Cells] = {
        "target not shifted": [(i, i) for i in rows],
        "no causal mask": [(i, i + 1) for i in rows[:-1]],
    }
    cross: dict[str, Cells] = {
        "decoder without encoder": [(i, j) for i in rows for j in range(n_source - 1)],
        "padding mask inverted": [(i, n_source - 1) for i in rows],
        "padding not masked": [(i, n_source - 1) for i in rows],
    }
    return {"own": own.get(fault, []), "cross": cross.get(fault, [])}
