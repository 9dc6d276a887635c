# points: 3
# message: Inputs: Q of shape (2, 3, 6, 7), K of shape (2, 7)


def attention(Q, K, V):
    front = "abcdefgh"[: Q.ndim - 2]
    own = front if K.shape[0] == Q.shape[0] else ""
    s = np.einsum(f"{front}qx,{own}kx->{front}qk", Q, K) / np.sqrt(Q.shape[-1])
    w = functional.softmax(s, axis=-1)
    return np.einsum(f"{front}qk,{own}ky->{front}qy", w, V), w
