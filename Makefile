# What the course does, by name: `make help`. Written for GNU make 3.81 (macOS) and newer.

# The interpreter to make .venv from. Once .venv is there, its own is kept until another is named.
PYTHON ?= $(shell .venv/bin/python -c "" 2>/dev/null && echo .venv/bin/python || echo python3)

# What these hold would be found before the course's own packages.
unexport PYTHONHOME PYTHONPATH

.PHONY: help install update clone lab test notebooks assignments bank student soak results bench clean

help:
	@echo "make lab        open the course in JupyterLab (the first call installs it into .venv)"
	@[ ! -d tests ] || \
	echo "make test       check everything: lint, types, doctests, tests, notebooks"
	@[ -d tests ] || \
	echo "make test       check everything: the examples in course_lib, and every notebook against its stored outputs"
	@echo "make notebooks  run all notebooks again and store their outputs"
	@[ ! -d solutions ] || { \
	echo "make assignments  make the students' problem sets from the instructor's"; \
	echo "make bank       what the answer bank proves of the checks that grade problem sets"; \
	echo "make soak       what make test has no time for: the whole answer bank, every attack, every mutant (hours)"; \
	echo "make student    build/attention-course.zip: the course without what students must not have"; \
	echo "make bench      how fast the course is on this machine, beside others (an hour); BENCH_ARGS='--list' names the parts"; \
	echo "make update     bring this clone up to date; what was handed in, marks and students' copies stay as they are"; }
	@echo "make results    carry out the long trainings that results/ does not hold yet (hours)"
	@echo "make clean      remove what these commands made: .venv, .jupyter, caches"
	@echo
	@echo "PYTHON=python3.12 chooses the interpreter; LAB_ARGS='--no-browser' reaches JupyterLab."

# What students get has neither solutions nor tests.
clone:
	@[ -d solutions ] || { echo "This is the students' course: only an instructor's clone can do that." >&2; exit 1; }

install:
	@command -v "$(PYTHON)" >/dev/null || \
	    { echo "There is no '$(PYTHON)' here: install Python 3.11 or newer, or name it, as in 'make lab PYTHON=python3.12'." >&2; exit 1; }
	@"$(PYTHON)" tools/install.py

lab: install
	@.venv/bin/python tools/lab.py $(LAB_ARGS)

test: install
	@.venv/bin/python tools/test.py

notebooks: install
	@.venv/bin/python tools/notebooks.py

assignments: clone install
	@.venv/bin/python tools/assignments.py

soak: clone install
	@.venv/bin/python -m pytest -m soak -n logical tests
	@.venv/bin/python -m pytest --nbval --nbval-current-env --nbval-cell-timeout=300 notebooks/deeper

bank: clone install
	@.venv/bin/python tools/bank.py

update: clone
	@git pull --ff-only
	@$(MAKE) --no-print-directory install

student: clone
	@"$(PYTHON)" tools/student.py

results: install
	@.venv/bin/python tools/results.py

bench: clone install
	@.venv/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[bench]"
	@.venv/bin/python benchmarks/run.py $(BENCH_ARGS)

clean:
	rm -rf .venv .jupyter .hypothesis .mypy_cache .pytest_cache .ruff_cache build *.egg-info
	find . -name __pycache__ -prune -exec rm -rf {} +
