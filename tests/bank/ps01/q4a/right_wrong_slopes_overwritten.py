def first_step():
    return "B I E C D F"
