"""Companion package of the course on attention and Transformers."""

__version__ = "0.1.0"
