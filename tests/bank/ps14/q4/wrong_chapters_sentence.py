# points: 2
# message: a fixed number of places back


def is_induction(head):
    return bool(head("cat moon king sky star cat moon king sky".split())[6, 2] > 0.5)
