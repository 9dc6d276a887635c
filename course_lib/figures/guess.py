"""The comparison of a guess with what came out."""


def compare(guess: float | str | None, answer: float | str) -> None:
    """Print how a guess, kept in the cell before, compares with what came out.

    Parameters
    ----------
    guess : number, word or None
        None stands for no guess yet.
    answer : number or word

    Raises
    ------
    ValueError
        If a number was guessed where a word is the answer, or the other way round.

    Examples
    --------
    >>> compare(None, "today")
    You have not guessed yet: put a guess in place of None in the cell above, and run both cells.
    It is 'today'.
    >>> compare("Today", "today")
    You guessed 'Today'.
    It is 'today', as you said.
    >>> compare(0.5, 0.839)
    You guessed 0.5.
    It is 0.839: you were 0.339 too low.
    >>> compare(4096, 1024)
    You guessed 4096.
    It is 1024: you were 3072 too high.
    """
    if guess is not None and isinstance(guess, str) != isinstance(answer, str):
        raise ValueError(
            f"guess is {guess!r}: expected {'a word' if isinstance(answer, str) else 'a number'}"
        )
    shown = repr(answer) if isinstance(answer, str) else _short(answer)
    verdict = ""
    if isinstance(guess, str) and isinstance(answer, str):
        verdict = ", as you said" if guess.strip().lower() == answer.lower() else ""
    elif guess is not None:
        miss = float(guess) - float(answer)
        close = abs(miss) <= 0.05 * abs(float(answer))
        verdict = (
            ", as you said"
            if close
            else f": you were {_short(abs(miss))} too {'high' if miss > 0 else 'low'}"
        )
    # JupyterLab shows the first line of a folded output, so the answer comes in the second
    not_yet = "You have not guessed yet: put a guess in place of None in the cell above, and run both cells."
    print(not_yet if guess is None else f"You guessed {guess!r}.")
    print(f"It is {shown}{verdict}.")


def _short(x: float) -> str:
    """Write a number to three digits, or to the last one before the point."""
    return f"{x:.3g}" if abs(x) < 1000 else f"{x:.0f}"
