# points: 3
# message: stops with KeyError


def attention(Q, K, V):
    front = {2: "", 3: "b", 4: "bh", 5: "bhx"}
    f, g = front[Q.ndim], front[K.ndim]
    s = np.einsum(f"{f}qd,{g}kd->{f}qk", Q, K) / np.sqrt(Q.shape[-1])
    w = functional.softmax(s, axis=-1)
    return np.einsum(f"{f}qk,{g}kv->{f}qv", w, V), w
