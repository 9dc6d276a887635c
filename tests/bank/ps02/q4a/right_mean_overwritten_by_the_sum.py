def first_step():
    return "F B D E C H"
