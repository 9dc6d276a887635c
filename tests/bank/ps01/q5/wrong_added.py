# points: 0
# message: You add the two readers' states
def bidirectional(x, forward, backward):
    return forward(x) + backward(x[::-1])[::-1]
