import numpy as np


def beam_search(next_log_p, width, max_length, alpha):
    living = [([BOS_ID], np.float32(0))]
    finished = []
    steps = 0
    while living and steps < max_length:
        steps += 1
        rows = next_log_p([ids for ids, _ in living]).float().numpy()
        totals = rows + np.array([p for _, p in living], dtype=np.float32)[:, None]
        order = np.argsort(-totals, axis=None)[:width]
        new = []
        for beam, token in zip(*np.unravel_index(order, totals.shape)):
            hypothesis = (living[beam][0] + [int(token)], totals[beam, token])
            if token == EOS_ID:
                finished.append(hypothesis)
            else:
                new.append(hypothesis)
        living = new
    finished.extend(living)
    scores = [p / np.float32((5 + len(ids) - 1) / 6) ** np.float32(alpha) for ids, p in finished]
    best = int(np.argmax(scores))
    return [i for i in finished[best][0] if i not in (BOS_ID, EOS_ID)], scores[best]
