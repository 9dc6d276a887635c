def first_step():
    return ["L", "F", "B", "D", "G", "I", "J", "C", "M"]
