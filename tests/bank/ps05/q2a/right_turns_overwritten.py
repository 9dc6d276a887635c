def first_step():
    return "F L B D G A J E I K C M"
