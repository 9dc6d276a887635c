# points: 0
# message: a list of pairs of text


def proof():
    print("attention(Q, K, V)")
