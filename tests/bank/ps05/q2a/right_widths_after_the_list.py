def first_step():
    return "F L B D G J I C M"
