def first_step():
    return "l b f d j g i c m"
