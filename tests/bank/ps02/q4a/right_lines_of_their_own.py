def first_step():
    return "F\nD\nB\nE\nH\n"
