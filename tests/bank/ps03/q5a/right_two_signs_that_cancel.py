def first_step():
    return "E, I, G, F"
