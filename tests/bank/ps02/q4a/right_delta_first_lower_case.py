def first_step():
    return "f,b,d,e,h"
