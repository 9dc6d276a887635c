# points: 0
# message: Step 1 is the first that fails. Cannot be read


def proof():
    return [
        ("softmax(Q (P K)ᵀ / √d_k) P V", "definition"),
        ("softmax(Q Kᵀ Pᵀ / √d_k) P V", "transpose"),
    ]
