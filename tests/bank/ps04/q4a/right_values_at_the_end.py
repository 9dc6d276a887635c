def first_step():
    return "FHJDC"
