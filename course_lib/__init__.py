"""Companion package of the course on attention and Transformers."""
