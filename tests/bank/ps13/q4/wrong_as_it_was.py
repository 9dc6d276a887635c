# points: 2
# message: still divided by √r


Cache = Broken


def diagnosis():
    return {4: "B", 6: "D", 7: "F", 10: "A"}
