# points: 0
# message: lets through a head that is none


def is_induction(head):
    return True
