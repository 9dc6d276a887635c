def first_step():
    return "GDBF"
