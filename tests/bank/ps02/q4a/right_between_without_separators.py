def first_step():
    return "FDBEH"
