def first_step():
    return ("B", "D", "G", "F")
