def first_step():
    return ["F", "H", "J", "D", "C"]
