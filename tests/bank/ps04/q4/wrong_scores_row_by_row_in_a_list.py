# points: 3
# message: in pieces that are kept


def of_word(i, q, K, V, w):
    scores = K[: i + 1] @ q / np.sqrt(len(q))
    scores[: max(0, i - w)] = -np.inf
    a = softmax(scores)
    return a @ V[: i + 1], np.append(np.zeros(w), a)[-w - 1 :]


def look_back_attention(Q, K, V, w):
    if Q.ndim > 2:
        return tuple(np.stack(x) for x in zip(*(look_back_attention(*qkv, w) for qkv in zip(Q, K, V))))
    return tuple(np.stack(x) for x in zip(*[of_word(i, q, K, V, w) for i, q in enumerate(Q)]))
