def bidirectional(x, forward, backward):
    words = [row for row in x]
    back = list(backward(np.array(words[::-1])))
    return [list(ahead) + list(back.pop()) for ahead in forward(x)]
