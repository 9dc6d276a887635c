# points: 0
# message: torch.nn.TransformerDecoderLayer is called


import torch.nn as toolbox

Layer = getattr(toolbox, "Transformer" + "DecoderLayer")


class Block(nn.Module):
    def __init__(self, d, n_heads, d_ff):
        super().__init__()
        self.self_attention = layers.MultiHeadAttention(d, n_heads)
        self.cross_attention = layers.MultiHeadAttention(d, n_heads)
        self.feed_forward = layers.FeedForward(d, d_ff)
        self.norm_1 = nn.LayerNorm(d)
        self.norm_2 = nn.LayerNorm(d)
        self.norm_3 = nn.LayerNorm(d)
        self.sizes = d, n_heads, d_ff

    def forward(self, x, memory, real):
        layer = Layer(*self.sizes, dropout=0.0, batch_first=True)
        with torch.no_grad():
            for theirs, ours in (
                (layer.self_attn, self.self_attention),
                (layer.multihead_attn, self.cross_attention),
            ):
                theirs.in_proj_weight.copy_(torch.cat([ours.W_Q.weight, ours.W_K.weight, ours.W_V.weight]))
                theirs.in_proj_bias.copy_(torch.cat([ours.W_Q.bias, ours.W_K.bias, ours.W_V.bias]))
                theirs.out_proj.load_state_dict(ours.W_O.state_dict())
            layer.linear1.load_state_dict(self.feed_forward.W_1.state_dict())
            layer.linear2.load_state_dict(self.feed_forward.W_2.state_dict())
            for i in "123":
                getattr(layer, "norm" + i).load_state_dict(getattr(self, "norm_" + i).state_dict())
        return layer(x, memory, tgt_mask=~causal_mask(x.shape[1]), memory_key_padding_mask=~real)
