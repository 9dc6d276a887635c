# points: 3
# message: you take </s> out of each row


def shift_right(targets):
    read = np.column_stack([np.full(len(targets), BOS_ID), targets[:, :-1]])
    read[read == EOS_ID] = PAD_ID
    return read


def sees_answer(allowed, n_layers, ahead):
    L = len(allowed)
    step, knows = allowed | np.eye(L, dtype=bool), np.eye(L, dtype=bool)
    for _ in range(n_layers):
        knows = knows @ step
    return np.append(np.diagonal(knows, ahead), [False] * ahead).astype(bool)
