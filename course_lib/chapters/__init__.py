"""What each chapter owns: a folder, named as its notebook, with its figures and what it trains and measures.

A chapter imports from earlier chapters only. What is too long for a notebook's cell and belongs to no model has a
name here, a docstring and tests.
"""
