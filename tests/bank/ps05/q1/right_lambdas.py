split_heads = lambda x, H: np.moveaxis(x.reshape(*x.shape[:-1], H, x.shape[-1] // H), -2, -3)  # noqa: E731
merge_heads = lambda x: np.moveaxis(x, -3, -2).reshape(*x.shape[:-3], x.shape[-2], -1)  # noqa: E731
