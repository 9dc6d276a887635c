# points: 0
# message: Inputs: states of shape


def gradient_norms(states, W_h):
    dtype = np.float16 if len(W_h) > 2 else float
    J, norms = np.eye(len(W_h), dtype=dtype), [1.0]
    for h in states[:0:-1].astype(dtype):
        J = (W_h.astype(dtype) * (1 - h**2)) @ J
        norms.append(np.linalg.norm(np.nan_to_num(J.astype(float)), 2))
    return np.array(norms[::-1])
