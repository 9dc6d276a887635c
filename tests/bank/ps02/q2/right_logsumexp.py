def attention(Q, K, V):
    scores = np.float32(Q) @ np.float32(K).mT / np.float32(np.sqrt(K.shape[-1]))
    largest = scores.max(-1, keepdims=True)
    weights = np.exp(scores - (largest + np.log(np.exp(scores - largest).sum(-1, keepdims=True))))
    return weights @ np.float32(V), weights
