def first_step():
    return "F,H,J,C,D"
