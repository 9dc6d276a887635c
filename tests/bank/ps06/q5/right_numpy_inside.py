def step(x, keys, values, phi, W_Q, W_K, W_V):
    x, K, V, phi = x.numpy(), keys.numpy(), values.numpy(), phi.numpy()
    t = K.shape[1]
    here = x.astype(float) + phi[t : t + 1]
    K = np.concatenate([K, np.expand_dims(here @ W_K.numpy(), 1)], axis=1)
    V = np.concatenate([V, np.expand_dims(here @ W_V.numpy(), 1)], axis=1)
    out = np.zeros((len(x), V.shape[2]))
    for b in range(len(x)):
        scores = K[b] @ (here[b] @ W_Q.numpy()) / np.sqrt(K.shape[2])
        weights = np.exp(scores - scores.max())
        out[b] = weights @ V[b] / weights.sum()
    return [torch.from_numpy(out), torch.from_numpy(K), torch.from_numpy(V)]
