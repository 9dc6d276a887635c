"""The formulas of the figures in a browser, on random inputs, are those of course_lib.functional."""

from collections import defaultdict
from pathlib import Path

import numpy as np

from course_lib.figures.page import BUNDLE
from tests.support.lab import chromium
from tests.support.page_maths import EXPECTED, difference, random_call

CASES = 200
TOLERANCE = 1e-9


def test_a_browser_computes_what_python_computes(browser_path: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    cases = [random_call(rng) for _ in range(CASES)]
    with chromium(browser_path, tmp_path) as browser:
        page = browser.new_page()
        page.add_script_tag(content=BUNDLE.read_text(encoding="utf-8"))
        found = page.evaluate(
            "given => given.map(([name, args]) => courseFigures.maths[name](...args))", cases
        )
    differences: dict[str, list[float]] = defaultdict(list)
    for (function, arguments), result in zip(cases, found, strict=True):
        differences[function].append(difference(function, arguments, result))
    for function, each in sorted(differences.items()):
        print(f"{function}: {len(each)} cases, largest difference {max(each):.1e}")
    assert differences.keys() == EXPECTED.keys()
    assert max(max(each) for each in differences.values()) < TOLERANCE
