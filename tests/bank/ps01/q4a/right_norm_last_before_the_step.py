def first_step():
    return "icdf"
