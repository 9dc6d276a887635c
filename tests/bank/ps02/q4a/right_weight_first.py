def first_step():
    return "D F B E H"
