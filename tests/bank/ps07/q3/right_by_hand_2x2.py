def separate(values):
    (a, b), (c, d) = ((values[0] - values[1]) / 2).tolist(), ((values[2] - values[3]) / 2).tolist()
    det = a * d - b * c
    u0, u1 = (d - b) / det, (a - c) / det
    start = sum((values[1] + values[3]).tolist()[i] / 2 * u for i, u in enumerate((u0, u1)))
    return (
        torch.tensor([[-u0, u0], [-u1, u1]], dtype=torch.float64),
        torch.tensor([start + 1, -start - 1], dtype=torch.float64),
        torch.tensor([[-2.0], [-2.0]], dtype=torch.float64),
        torch.tensor([1.0], dtype=torch.float64),
    )
