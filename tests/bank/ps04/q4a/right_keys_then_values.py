def first_step():
    return "F H C J D"
