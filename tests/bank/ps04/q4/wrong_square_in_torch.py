# points: 0
# message: torch.tensor is called

import torch as t


def look_back_attention(Q, K, V, w):
    Q, K, V = (t.tensor(array) for array in (Q, K, V))
    L, i = Q.shape[-2], t.arange(Q.shape[-2])
    back = i[:, None] - i
    scores = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill((back < 0) | (back > w), -t.inf)
    A = t.softmax(scores, -1)
    band = t.zeros(*Q.shape[:-1], w + 1, dtype=Q.dtype)
    for o in range(max(0, w + 1 - L), w + 1):
        rows = t.arange(w - o, L)
        band[..., rows, o] = A[..., rows, rows - w + o]
    return A @ V, band
