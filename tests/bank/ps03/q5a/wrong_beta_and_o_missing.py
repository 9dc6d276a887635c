# points: 0
# message: Line A leaves out −o. When one weight rises the others fall: the answer moves by v_j − o. Line H leaves out β


def first_step():
    return "A B H F"
