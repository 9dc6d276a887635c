def first_step():
    return "I, D, C, F"
