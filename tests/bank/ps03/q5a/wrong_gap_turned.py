# points: 0
# message: Line I turns a sign


def first_step():
    return "I B G F"
