# points: 0
# message: The two readers have changed places
def bidirectional(x, forward, backward):
    return np.concatenate([backward(x[::-1])[::-1], forward(x)], axis=-1)
