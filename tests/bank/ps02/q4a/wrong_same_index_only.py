# points: 0
# message: Line G keeps the term with i = j alone


def first_step():
    return "F B D E G"
