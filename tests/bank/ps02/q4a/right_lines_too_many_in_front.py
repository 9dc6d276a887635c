def first_step():
    return "F - B - I - A - G - D - E - H"
