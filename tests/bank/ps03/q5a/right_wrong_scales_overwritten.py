def first_step():
    return "H C G B D F"
