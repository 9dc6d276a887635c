"""The instructor's side of the problem sets: what decides, and what brings submissions to it.

None of this is part of what students install.
"""
