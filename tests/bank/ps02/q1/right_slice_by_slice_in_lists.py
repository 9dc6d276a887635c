def softmax(x, axis):
    last = np.moveaxis(x, axis, -1)
    rows = last.reshape(-1, last.shape[-1]).tolist()
    shares = []
    for row in rows:
        powers = [np.exp(score - max(row)) for score in row]
        shares.append([power / sum(powers) for power in powers])
    return np.moveaxis(np.array(shares).reshape(last.shape), -1, axis)
