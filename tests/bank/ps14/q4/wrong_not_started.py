# points: 0
# message: stops with NotImplementedError


def is_induction(head):
    raise NotImplementedError
