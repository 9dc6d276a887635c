def first_step():
    return "B,F,L,D,G,I,C,J,M"
