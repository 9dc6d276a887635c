"""What chapter 11, *Claims revisited*, owns."""

from course_lib.chapters.ch11_claims_revisited.figures import board, share_of_the_square
from course_lib.chapters.ch11_claims_revisited.ledger import enter

__all__ = ["board", "enter", "share_of_the_square"]
