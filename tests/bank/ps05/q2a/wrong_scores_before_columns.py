# points: 0
# message: Line I uses `mine`, which no line before it has made


def first_step():
    return "F L B D I G J C M"
