def first_step():
    return "F\nL\nB\nD\nG\nI\nC\nJ\nM"
