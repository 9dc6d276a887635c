# points: 0
# message: Inputs: Q of shape


def look_back_attention(Q, K, V, w):
    if Q.ndim > 2:
        return [look_back_attention(*qkv, w) for qkv in zip(Q, K, V)]
    output, band = [], []
    for i, q in enumerate(Q):
        near = slice(max(0, i - w), i + 1)
        a = softmax(K[near] @ q / np.sqrt(len(q)))
        band.append(a.tolist())
        output.append((a @ V[near]).tolist())
    return output, band
