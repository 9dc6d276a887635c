def first_step():
    return "H D I C F"
