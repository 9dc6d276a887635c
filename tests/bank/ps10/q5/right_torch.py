def clipped_precision(hypotheses, references, n):
    def grams(sentence):
        return ["|".join(sentence[i : i + n]) for i in range(len(sentence)) if i + n <= len(sentence)]

    pairs = [(grams(h), grams(r)) for h, r in zip(hypotheses, references)]
    total = torch.tensor([len(h) for h, _ in pairs]).sum()
    found = torch.tensor([min(h.count(g), r.count(g)) for h, r in pairs for g in sorted(set(h))]).sum()
    return (found / total.clamp(min=1)).item()


def bleu(precisions, n_hypothesis, n_reference):
    mean = torch.tensor(precisions).log().mean().exp()
    return 100 * mean * torch.exp(torch.tensor(1 - n_reference / n_hypothesis)).clamp(max=1)
