"""The 29 claims: each as it is printed, with its place, and what a person has to say about the verdict.

Claim 12 says two things, and is decided twice. Three are remarks: there is nothing in them to measure.

A is *Self-Attention and Positional Encoding*, B *Attention Mechanism and Transformers*; the paper is Vaswani and
others, *Attention Is All You Need* (2017).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

GROUPS = (
    "What attention is",
    "Order and positions",
    "What it costs",
    "The whole model",
    "History and words",
)
A = "A, ‘{}’".format


@dataclass(frozen=True)
class Claim:
    """One claim.

    Attributes
    ----------
    key : str
        Its number, "12a".
    group : str
        One of `GROUPS`.
    short : str
        A few words, for a tile.
    printed : str
        The sentence word for word, formulas as the source sets them, between dollars.
    place : str
        Where it stands.
    chapter : str
        The number of the chapter that treats it.
    right : str
        The condition under which it holds, or what is true in its place.
    deciding : str
        What decided, with the names of numbers in braces.
    flip : str
        What would have turned the verdict, and was tried; with the names of numbers in braces.
    plain : str
        `printed` with its formulas in ordinary letters, where it has some.
    remark : bool
        Whether there is nothing to measure.
    reworded : bool
        Whether the flip changes the sentence or leaves cases out, and no circumstance.

    Examples
    --------
    >>> CLAIMS["12a"].group
    'What it costs'
    """

    key: str
    group: str
    short: str
    printed: str
    place: str
    chapter: str
    right: str
    deciding: str
    flip: str = ""
    plain: str = ""
    remark: bool = False
    reworded: bool = False


def told(words: str, numbers: Mapping[str, float]) -> str:
    """Put numbers in the place of their names, with a no-break space before a per cent sign.

    >>> told("in {share:.0%}", {"share": 0.5})
    'in 50\\xa0%'
    """
    return re.sub(r"(?<=\d)%", "\N{NO-BREAK SPACE}%", words.format(**numbers))


_WHAT, _ORDER, _COST, _WHOLE, _HISTORY = GROUPS
_LISTED = [
    Claim(
        "2",
        _WHAT,
        "a linear operation",
        "Self-Attention is a linear operation because it computes a weighted sum of value vectors",
        A("Linearity Problem and Feed-Forward Networks"),
        "07",
        "It holds for the values while the weights are held. The words make the weights, too, so in the words it is not linear.",
        "f(2a − 3b) and 2f(a) − 3f(b) agree to the last digit for values; for words they differ by up to {off_words:.0f}.",
        "weights that do not depend on the words",
    ),
    Claim(
        "10",
        _WHAT,
        "softmax in one line",
        "def softmax(x): return(np.exp(x)/np.exp(x).sum())",
        "B 10.2.4, in the program",
        "02",
        "It holds for one row of small scores, which is how B uses it.",
        "Beyond a score of {largest:.0f} the exponential is infinite, and ∞/∞ is no number. Given a matrix, it normalises all rows together.",
        "subtracting the maximum, and summing row by row",
    ),
    Claim(
        "11",
        _WHAT,
        "softmax of infinity",
        r"(w_{1,1}, w_{1,2}, w_{1,3}) = \text{softmax}(+\infty, -\infty, -\infty) = (1, 0, 0)",
        "B 10.2.2",
        "03",
        "It holds as a limit, which is how B puts it: ‘a hypothetical alignment score function’.",
        "softmax(β, −β, −β) is (1, 0, 0) to 64 bits from β = {beta:.0f} on. With ∞ itself the formula gives ∞ − ∞, and NaN.",
        "a score of 0 for the match, and zeros for a row without a match",
        "(w₁,₁, w₁,₂, w₁,₃) = softmax(+∞, −∞, −∞) = (1, 0, 0)",
    ),
    Claim(
        "18",
        _WHAT,
        "variance of q·k",
        r"To illustrate why the dot products get large, assume that the components of $q$ and $k$ are independent random variables with mean $0$ and variance $1$. Then their dot product, $q \cdot k = \sum_{i=1}^{d_k} q_i k_i$, has mean $0$ and variance $d_k$.",
        "the paper, section 3.2.1, footnote",
        "02",
        "It says ‘assume’, and from the assumption the variance follows. Whether a trained network meets the assumption is another question.",
        "Made independent, with mean 0 and variance 1, trained q and k give {assumed_low:.2f} to {assumed_high:.2f} times dₖ. As they are, {trained_low:.1f} to {trained_high:.1f} times.",
        "keeping the dependence: standardised and not shuffled, the trained heads give {assumed_low_flipped:.1f} to {assumed_high_flipped:.1f} times dₖ",
        "To illustrate why the dot products get large, assume that the components of q and k are independent random variables with mean 0 and variance 1. Then their dot product, q·k = Σ qᵢkᵢ, has mean 0 and variance dₖ.",
    ),
    Claim(
        "27",
        _WHAT,
        "heads are like filters",
        "The number of heads is a hyperparameter, analogous to the number of filters in a convolutional layer.",
        "B 10.2.7",
        "05",
        "It holds as far as B says: a number that one chooses, and each one more brings weights of its own. A reader may add that it sets the width of the output. It does not.",
        "Eight filters make {width_filters:.0f} channels. Eight heads on words of 4 numbers make {width_heads:.0f}.",
        "heads without the output matrix, side by side",
    ),
    Claim(
        "1",
        _ORDER,
        "order is not seen",
        'For example, "The cat chased the dog" and "The dog chased the cat" would have identical Self-Attention outputs, as the mechanism doesn’t know which word comes first.',
        A("Position-Agnostic Issue and Positional Encoding"),
        "06",
        "It holds for the vector of each word, for an average and for a fixed query. Read in order, the outputs move with the words.",
        "Follow cat, and its two vectors agree to the last digit. Compare second with second, and they differ.",
        "a causal mask: from the second block on even the full stop notices the exchange, by {stop_moves_flipped:.2f}",
    ),
    Claim(
        "22",
        _ORDER,
        "no need to be in step",
        "Cross-Attention is a powerful tool for working with multiple modalities (e.g., audio, video, images, text), as it is agnostic to the positions of the keys and values and can thus handle potential synchronisation issues.",
        "B 10.2.8",
        "05",
        "It holds when the question is what is said. When it is said cannot be answered without positions.",
        "Asked which word it is, frames of the second ‘he’ (word 4) answer {he:.0f}: the mean of the places of both.",
        "a clock for both sides",
    ),
    Claim(
        "7",
        _ORDER,
        "position is appended",
        r"This vector is then simply appended to the word embedding: ${\bf x}'_i = [{\bf x}_i; \phi(i)]$.",
        "B 10.3.2",
        "06",
        "The Transformer adds the two, as B says one paragraph before and in its summary.",
        "What enters the first block is {width:.0f} numbers wide, as wide as a word, and not {width_flipped:.0f}.",
        "a Transformer that appends",
        "This vector is then simply appended to the word embedding: x′ = [x; φ(i)].",
    ),
    Claim(
        "6",
        _ORDER,
        "a Gaussian of distance",
        r"A function that has this property is the Gaussian kernel: $\phi(i)^\top \phi(j) \approx \exp( - \lambda (i-j)^2).$",
        "B 10.3.2, of the encoding that ‘was proposed in the original Transformer paper’",
        "06",
        "Only the distance counts, that much is right. But the product falls like a logarithm, and goes up again and again.",
        "With 512 columns the best Gaussian is off by {misfit:.2f}. At distance 99 the product is still {far:.2f} of its largest.",
        "other lengths for the pairs of columns, as a Gaussian of their frequency says",
        "A function that has this property is the Gaussian kernel: φ(i)·φ(j) ≈ exp(−λ(i − j)²).",
    ),
    Claim(
        "5",
        _ORDER,
        "wavelengths to 10000·2π",
        r"The wavelengths form a geometric progression from $2\pi$ to $10000 \cdot 2\pi$.",
        "the paper, section 3.5",
        "06",
        "The paper’s formula ends a little earlier, and B’s, which counts k from 1, begins a little later. No model depends on it.",
        "At d = 512 the paper’s formula ends at {longest:,.0f}·2π. B’s begins at {shortest:.3f}·2π.",
        "exponents that go from 0 to 1",
        "The wavelengths form a geometric progression from 2π to 10000·2π.",
    ),
    Claim(
        "8",
        _ORDER,
        "unique and periodic",
        'These sinusoidal functions create unique, periodic patterns for each position, allowing the model to learn relative positions (e.g., "word 3 is two positions after word 1").',
        A("What is Positional Encoding?"),
        "06",
        "It holds: the whole pattern is unique, each of its components is periodic, and a shift is one rotation.",
        "With 64 columns the closest two of 20,000 positions are {margin:.1f} apart.",
        "two columns in 16 bits: then only {different_flipped:.0f} of 2,000 patterns differ",
    ),
    Claim(
        "9",
        _ORDER,
        "carries to longer texts",
        "Alternatively, positional encodings can be learned (trainable parameters), but fixed sinusoidal encodings are often used because they generalize well to longer sequences.",
        A("What is Positional Encoding?"),
        "06",
        "The formula goes on for ever. What a model has learned from it does not.",
        "Trained on 16 words, our readers are right in {right_16:.0%} there, in {right_32:.0%} on 32 words and in {right_256:.0%} on 256. Guessing gets 12.5 %.",
        "rotary positions: {right_64_flipped:.0%} on 64 words, {right_256_flipped:.0%} on 256; far keys hidden as well, all lengths are read",
    ),
    Claim(
        "12a",
        _COST,
        "cost grows as L²",
        "Since each feature vector in the sequence is compared to all other feature vectors, the computational complexity is quadratic in the input sequence length, L.",
        "B 10.2.5",
        "04",
        "It holds, as a statement about growth.",
        "From L = 64·d to twice that, the cost grows as L to the power of {exponent:.2f}.",
        "a window of 8 words on either side: the power is {exponent_flipped:.2f}",
    ),
    Claim(
        "12b",
        _COST,
        "the square is the cost",
        r"Self-Attention $\mathcal{O}(L^2 \cdot d_k)$",
        "B 10.2.5, in the table",
        "04",
        "Read as what a layer costs, it holds when a text has more than 2·d words. Below that the projections cost more.",
        "For a sentence of 25 words in the paper’s model the square is {share_25:.1%} of the work.",
        "attention by itself, without the four projections",
        "Self-Attention: O(L² · dₖ)",
    ),
    Claim(
        "13",
        _COST,
        "parameters free of L",
        "The number of parameters in Self-Attention does not depend on the sequence length, which is a significant advantage over RNNs and Dense Layers.",
        "B 10.2.5",
        "04",
        "It is an advantage over dense layers. A recurrent network’s parameters do not depend on the length either.",
        "From 8 words to 16, a dense layer goes from {dense_8:,.0f} to {dense_16:,.0f} parameters, a recurrent one stays at {rnn_8:.0f}.",
        "a recurrent network with weights of its own for each step",
    ),
    Claim(
        "14",
        _COST,
        "narrow heads are cheaper",
        r"Note that we typically choose the key dimension, $d_k$, to be much smaller than the input dimension, $d$ (e.g., $d_k = d/8$). This reduces the computational cost, but it remains quadratic in the sequence length, L.",
        "B 10.2.5",
        "04",
        "It holds for one head. Eight heads of an eighth, which is what is typically built, cost what one whole head costs.",
        "Eight narrow heads: {several:,.0f} multiply-adds. One wide one: {one_wide:,.0f}. And {times:.0f} times as many weights.",
        "four heads of an eighth",
        "Note that we typically choose the key dimension, dₖ, to be much smaller than the input dimension, d (e.g., dₖ = d/8). This reduces the computational cost, but it remains quadratic in the sequence length, L.",
    ),
    Claim(
        "15",
        _COST,
        "fewer parameters",
        "Transformers benefit from the efficiency of the Attention Mechanism, requiring fewer parameters than RNNs for similar performance, and can be easily parallelised.",
        "B 10.3.3",
        "10",
        "It holds beside a GRU without attention. Beside one with attention it holds on sentences as long as in training, and on longer ones it is the other way round.",
        "On longer sentences a small GRU with attention translates {small_gru_longer:.0%} exactly, with a third of the parameters. The full Transformer gets {transformer_longer:.0%}, a full GRU without attention {plain_gru_longer:.0%}.",
        "leaving out the GRU with attention",
        reworded=True,
    ),
    Claim(
        "16",
        _COST,
        "better and faster",
        "This model leverages Self-Attention’s parallelization, positional encodings for order, and masking for autoregressive generation, outperforming RNN-based Seq2Seq models in accuracy and speed.",
        A("Practical Example"),
        "10",
        "It holds for accuracy at the trained lengths, and for the speed of training beside a GRU with attention. One without attention trains faster, both write faster, and the one with attention translates longer sentences better.",
        "Exact: {transformer_test:.0%} against {gru_test:.0%}, on longer sentences {transformer_longer:.0%} against {gru_longer:.0%}. It trains {training:.2f} times as fast as the GRU with attention, {training_plain:.2f} times as fast as the other, and writes more slowly in {n_slower:.0f} of {n_writing:.0f} comparisons (one CPU thread).",
        "leaving out the GRU without attention, writing and the longer sentences",
        reworded=True,
    ),
    Claim(
        "3",
        _WHOLE,
        "one word at a time",
        "To address this, a Feed-Forward Neural Network (FFNN) or Multi-Layer Perceptron (MLP) is applied to each word’s attention output independently.",
        A("Linearity Problem and Feed-Forward Networks"),
        "07",
        "Each word goes through the network by itself.",
        "Change one of eight words, and {rows:.0f} row of the output moves.",
        "a kernel of size 3: {rows_flipped:.0f} rows move",
    ),
    Claim(
        "4",
        _WHOLE,
        "FFN follows attention",
        "A Feed-Forward Network is applied after each attention layer to introduce non-linearity, enhancing expressiveness.",
        A("Practical Example"),
        "07",
        "It holds in an encoder. A translator’s decoder has two attentions in each block, and one network after both.",
        "PyTorch’s decoder layer calls {attentions:.0f} attentions and {networks:.0f} feed-forward network.",
        "a decoder without an encoder, as in GPT",
    ),
    Claim(
        "25",
        _WHOLE,
        "based solely on attention",
        "In 2017, Vaswani et al. proposed the Transformer, a simple yet powerful network architecture based solely on attention layers.",
        "B 10.3",
        "09",
        "It holds when one asks what carries anything from word to word. Counted in parameters, attention is a third of an encoder’s layer and half of a decoder’s.",
        "Attention has {share_encoder:.0%} of the parameters of an encoder’s layer. Silence it, and no word depends on another: the derivative is {without_attention:.0f}.",
        "layers without a feed-forward network",
    ),
    Claim(
        "17",
        _WHOLE,
        "mask hides the future",
        "The mask is typically a triangular matrix (1s on and below the diagonal, 0s above), ensuring word i only attends to words at positions 1 to i.",
        A("How Masked Self-Attention Works"),
        "08",
        "It keeps a model from cheating when position i has to name word i + 1. The right shift is the other half of the protection.",
        "The output of a position does not depend on the next word (derivative {next:.0f}). On the word that it reads it does ({own:.1f}).",
        "a mask that allows one word more",
    ),
    Claim(
        "26",
        _WHOLE,
        "looks back only",
        'The decoder uses Masked Self-Attention to generate the French translation ("Je t\'aime") word by word, attending only to previous words in the output sequence (e.g., "t\'aime" attends to "Je").',
        A("Practical Example"),
        "08",
        "It holds for the position that writes a word. The position that reads a word also attends to that word itself, as the paper says: ‘up to and including that position’.",
        "The largest weight on a later word of the output is {later:.0f}, the largest of a position on its own word {own:.2f}.",
        "no mask: the largest weight on a later word is {later_flipped:.2f}",
    ),
    Claim(
        "19",
        _WHOLE,
        "CNNs want one size",
        "They are not designed to handle variable-sized inputs without padding or truncation, which can lead to a loss of information.",
        "B 10.1.1, of convolutional networks",
        "01",
        "It holds for networks that end in a dense layer on all positions. A convolution itself takes any length.",
        "Of three networks built for 5 words, {refusing:.0f} refuses 50.",
        "an average before the dense layer",
    ),
    Claim(
        "20",
        _WHOLE,
        "a compact encoding",
        r"The first part of the network (highlighted in magenta) is an encoder, which is a sub-network that transforms the input sequence into a meaningful, compact tensor representation. Think of it as being analogous to the VGG network, which transforms an image into a compact $4096 \times 1$ feature vector. As with VGG, the idea is that this pre-trained encoder can be reused for other tasks through transfer learning.",
        "B 10.3.1",
        "10",
        "It holds when reuse is meant, for one question near to the task. The output is not compact: it grows with the sentence.",
        "Trained on the average of the vectors alone, a translator gets {pooled:.0%} of the sentences exactly instead of {whole:.0%}. But a probe on its first vector is right in {probe_encoder:.0%}, on that of an untrained encoder in {probe_untrained:.0%}.",
        "an encoder that is not trained",
        "The first part of the network (highlighted in magenta) is an encoder, which is a sub-network that transforms the input sequence into a meaningful, compact tensor representation. Think of it as being analogous to the VGG network, which transforms an image into a compact 4096 × 1 feature vector. As with VGG, the idea is that this pre-trained encoder can be reused for other tasks through transfer learning.",
    ),
    Claim(
        "21",
        _HISTORY,
        "first attention",
        "The Attention Mechanism was originally introduced in the context of machine translation and image captioning, where it was used to align different parts of an image with words in a sentence (Xu et al. 2015). The idea was quickly adapted to model relationships between words within a single sentence Luong, Pham, and Manning (2015).",
        "B 10.2",
        "02",
        "Translation and captions are right, for attention by content. But Bahdanau’s paper is not named, and Luong’s attention looks from one sentence into another.",
        "Bahdanau’s paper, on translation, is {xu_later:.0f} months older than Xu’s, on captions.",
        "the names of Bahdanau, and of Cheng, in the places of Xu and Luong",
        reworded=True,
    ),
    Claim(
        "24",
        _HISTORY,
        "first self-attention",
        "Self-Attention, introduced in the Transformer model by Vaswani et al. (2017), is a special type of Attention where the model attends to all words in the same sequence to understand their relationships.",
        A("Introduction to Self-Attention"),
        "04",
        "Cheng, Dong and Lapata had attention within a sentence in 2016, Lin and others the name a few months before the Transformer. The paper itself says that self-attention has been used before.",
        "The mechanism is {cheng_earlier:.0f} months older.",
        "what the paper claims for itself: the first transduction model relying entirely on self-attention, without recurrence or convolution",
        reworded=True,
    ),
    Claim(
        "23",
        _HISTORY,
        "‘qui est fluffy’",
        'For example, in translating "The cat, which is fluffy, sleeps" to French, Self-Attention ensures "fluffy" is correctly associated with "cat," producing an accurate translation like "Le chat, qui est fluffy, dort."',
        A("Why Use Self-Attention?"),
        "04",
        "‘Fluffy’ is no French word. A cat is ‘tout doux’ or ‘duveteux’; ‘pelucheux’ is said of cloth.",
        "There is nothing to measure.",
        remark=True,
    ),
    Claim(
        "28",
        _HISTORY,
        "‘t’aime’, then ‘aime’",
        'For example, when generating "Je t\'aime," the model predicts "t\'aime" based on "Je," not future words like "aime."',
        A("Masked Self-Attention for Generative Tasks"),
        "08",
        "If ‘t’aime’ is one token, there is no ‘aime’ to come. If it is two, ‘t’’ is what ‘Je’ has to predict.",
        "It depends on how a text is cut. The point about the mask is right.",
        remark=True,
    ),
    Claim(
        "29",
        _HISTORY,
        "ChatGPT",
        "The Transformer model is an encoder-decoder architecture […] Transformers are the backbone of modern NLP networks such as ChatGPT.",
        "B 10.3.3, two lines of its summary",
        "09",
        "Both lines are true. A reader may conclude that ChatGPT is an encoder–decoder. The models that are documented, from GPT to InstructGPT, have a decoder only.",
        "B does not say it: there is nothing to measure.",
        remark=True,
    ),
]
CLAIMS: dict[str, Claim] = {claim.key: claim for claim in _LISTED}
MEASURED = [claim.key for claim in _LISTED if not claim.remark]
