# points: 0
# message: NotImplementedError


def masked_softmax(scores, allowed):
    raise NotImplementedError
