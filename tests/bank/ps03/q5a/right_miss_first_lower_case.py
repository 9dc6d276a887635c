def first_step():
    return "b g d f"
