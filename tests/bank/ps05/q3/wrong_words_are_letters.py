# points: 2
# message: Your code stops with IndexError


def original_weights(weights, order):
    return np.take_along_axis(weights, np.argsort(order)[..., None, :], axis=-1)


def total_order(first, second):
    text = np.array(list("abcdefghijklmnopqrstuvwxyz"))[: len(first)]
    end = text[first][second]
    return np.array([ord(letter) - ord("a") for letter in end])
