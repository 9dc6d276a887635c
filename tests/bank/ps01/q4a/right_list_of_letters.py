def first_step():
    return ["I", "C", "D", "F"]
