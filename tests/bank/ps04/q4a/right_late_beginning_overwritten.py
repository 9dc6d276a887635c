def first_step():
    return "I F H C A G J D"
