"""What the chapters train and measure: one module an experiment, each with its task, its models and what is measured.

An experiment is too long for a notebook cell and belongs to no model: here it has a name, a docstring and tests.
"""
