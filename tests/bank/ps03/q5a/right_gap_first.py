def first_step():
    return "D B G F"
