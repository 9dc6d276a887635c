# points: 0
# message: Your code stops


def masked_softmax(scores, allowed):
    rows = []
    for i in range(scores.shape[0]):
        row = torch.full_like(scores[i], -torch.inf)
        for j in range(scores.shape[1]):
            if bool(allowed[i, j]):
                row[j] = scores[i, j]
        rows.append(torch.softmax(row, dim=0).nan_to_num() if allowed[i].any() else row.exp())
    return torch.stack(rows)
