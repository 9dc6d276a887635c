# points: 0.5
# message: This is greedy search


def beam_search(next_log_p, width, max_length, alpha):
    ids, log_p = [BOS_ID], 0.0
    for _ in range(max_length):
        row = next_log_p([ids])[0]
        token = int(row.argmax())
        ids = [*ids, token]
        log_p += float(row[token])
        if token == EOS_ID:
            break
    score = log_p / ((4 + len(ids)) / 6) ** alpha
    return [i for i in ids if i not in (BOS_ID, EOS_ID)], score
