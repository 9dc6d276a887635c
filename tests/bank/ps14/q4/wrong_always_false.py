# points: 0
# message: turns away an induction head


def is_induction(head):
    return False
