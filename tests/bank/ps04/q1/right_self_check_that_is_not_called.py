import torch


def compare():
    X, W = np.ones((2, 3)), np.ones((3, 4))
    Q, K, V = torch.tensor(X @ W).split([1, 1, 2], dim=-1)
    theirs = torch.nn.functional.scaled_dot_product_attention(Q[None], K[None], V[None])[0]
    assert np.allclose(self_attention(X, W, 1)[0], theirs)


def self_attention(X, W, d_k):
    QKV = np.tensordot(X, W, axes=1).astype(np.longdouble)
    Q, K, V = QKV[..., :d_k], QKV[..., d_k : d_k + d_k], QKV[..., d_k + d_k :]
    scores = (Q[..., :, None, :] * K[..., None, :, :]).sum(-1) / np.sqrt(d_k)
    weights = softmax(scores)
    return (weights[..., None] * V[..., None, :, :]).sum(-2), weights
