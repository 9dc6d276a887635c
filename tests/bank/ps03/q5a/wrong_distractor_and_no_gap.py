# points: 0
# message: Line H leaves out β, which multiplies the scores in the softmax. There is more. Without line H: line F uses `gap`


def first_step():
    return "B H F"
