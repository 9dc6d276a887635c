def first_step():
    return "D F B A E H"
