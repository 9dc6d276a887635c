def first_step():
    return "F E H C J D"
