def attention(Q, K, V):
    steps = {
        "scores": np.tensordot(Q, K, axes=(-1, -1)) if K.ndim == 2 else np.einsum("...ik,...jk->...ij", Q, K)
    }
    steps["weights"] = functional.softmax(steps["scores"] / Q.shape[-1] ** 0.5, axis=-1)
    steps["output"] = np.matmul(steps["weights"], V)
    return [steps["output"], steps["weights"]]
