# points: 0
# message: You return the forward reader's states alone


def bidirectional(x, forward, backward):
    return forward(x)
