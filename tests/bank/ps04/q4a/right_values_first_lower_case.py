def first_step():
    return "f c h j d"
