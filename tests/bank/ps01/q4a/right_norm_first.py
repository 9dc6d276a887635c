def first_step():
    return "D I C F"
