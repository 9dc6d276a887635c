// The tokens of course_lib.text.tokenisers.WordTokeniser and the typography of course_lib.text.typography.
//
// Python's \w, \b, \d and \s know all scripts, JavaScript's do not, so they are written out.

export const [PAD, BOS, EOS, UNK] = [0, 1, 2, 3];
const [JOIN, SPACE] = ["<join>", "<space>"];

const WORD = "[\\p{L}\\p{N}_]";
// biome-ignore lint/suspicious/noControlCharactersInRegex: to Python, these are white space, too
const WHITE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/u;

/** A pattern for a word in any case. To Python, ı and İ are an i, and ſ is an s. */
const anyCase = (words: string): string =>
  words.replace(/[a-z]/g, (c) => `${{ i: "[iIıİ]", s: "[sSſ]" }[c] ?? `[${c}${c.toUpperCase()}]`}`);

const CONTRACTED = `(?:${anyCase("s|d|m|re|ve|ll")})(?!${WORD})`;
const INVERTED = `(?:${anyCase("t-")})?(?:${anyCase("je|tu|il|elle|on|nous|vous|ils|elles|ce")})(?!${WORD})`;
const NOT = `${anyCase("n't")}(?!${WORD})`;
const PIECE = new RegExp(
  [
    "\\p{Nd}+(?:[.,:]\\p{Nd}+)+",
    `(?<!${WORD})(?:${anyCase("c|d|j|l|m|n|s|t|qu|jusqu|lorsqu|puisqu|quoiqu")})'(?=${WORD}|[«"])`,
    `'${CONTRACTED}`,
    NOT,
    `-${INVERTED}`,
    `${WORD}+?(?=${NOT})`,
    `${WORD}+(?:'(?!${CONTRACTED})${WORD}+|-(?!${INVERTED})${WORD}+)*`,
    "« ?",
    " ?[!?;:»]",
    "[^ ]",
  ].join("|"),
  "gu",
);

const NO_SPACE_BEFORE = new Set([...".,!?;:)]}%…”/", "n't"]);
const NO_SPACE_AFTER = new Set("([{“#$/");

export function normalise(line: string): string {
  const composed = line.replace(/[\u00ad\u200b\u2060\ufeff]/g, "").normalize("NFC");
  return composed
    .replace(/[’‘ʼ‛＇]/g, "'")
    .split(WHITE)
    .filter((word) => word)
    .join(" ");
}

/** What usually stands before each piece: a space or nothing. */
function usualJoints(pieces: string[]): string[] {
  let [quotes, closed] = [0, true];
  return pieces.map((piece) => {
    const opens = piece === '"' && quotes % 2 === 0;
    if (piece === '"') quotes++;
    const joinsLeft =
      NO_SPACE_BEFORE.has(piece) ||
      " '".includes(piece[0]) ||
      (piece[0] === "-" && piece.length > 1) ||
      (piece === '"' && !opens);
    const joint = closed || joinsLeft ? "" : " ";
    const elided = piece.length > 1 && " '".includes(piece[piece.length - 1]);
    closed = opens || elided || NO_SPACE_AFTER.has(piece);
    return joint;
  });
}

export class Words {
  private readonly ids: Map<string, number>;

  constructor(
    readonly vocabulary: string[],
    readonly lowercase: boolean,
  ) {
    this.ids = new Map(vocabulary.map((token, id) => [token, id]));
  }

  static fromJson(text: string): Words {
    const { tokeniser, vocabulary, lowercase } = JSON.parse(text);
    if (tokeniser !== "word") throw new Error(`its tokeniser is ${tokeniser}: the page knows only words`);
    return new Words(vocabulary, lowercase);
  }

  /** Words and marks, and <join> or <space> where the spaces are not the usual ones. */
  split(text: string): string[] {
    const matches = [...normalise(this.lowercase ? text.toLowerCase() : text).matchAll(PIECE)];
    const pieces = matches.map((match) => match[0]);
    const usual = usualJoints(pieces);
    return pieces.flatMap((piece, i) => {
      if (i === 0) return [piece];
      const spaced = matches[i - 1].index + pieces[i - 1].length < matches[i].index;
      return spaced === (usual[i] === " ") ? [piece] : [spaced ? SPACE : JOIN, piece];
    });
  }

  encode(text: string): number[] {
    return this.split(text).map((piece) => this.ids.get(piece) ?? UNK);
  }

  decode(ids: number[]): string {
    const pieces: string[] = [];
    const joints: Record<number, string> = {};
    for (const id of ids) {
      if (id === EOS) break;
      const token = this.vocabulary[id];
      if (token === JOIN || token === SPACE) joints[pieces.length] = token === JOIN ? "" : " ";
      else if (id !== PAD && id !== BOS) pieces.push(token);
    }
    const usual = usualJoints(pieces);
    return pieces
      .map((piece, i) => (joints[i] ?? usual[i]) + piece)
      .join("")
      .trim();
  }

  labels(ids: number[]): string[] {
    return ids.map((id) => this.vocabulary[id].trim());
  }
}

/** French as it is printed: ’ for the apostrophe, no-break spaces at double punctuation. */
export function typesetFrench(text: string): string {
  const gap = "(?:(?<=\\S)\\s|(?<=[^\\s!?;:«(\\[]))";
  return normalise(text)
    .replace(new RegExp(`(?<=${WORD})'(?=${WORD}|«)`, "gu"), "’")
    .replace(new RegExp(`${gap}(?=[!?;]+(?!${WORD}))`, "gu"), "\u202f")
    .replace(new RegExp(`${gap}(?=:(?!${WORD}|/))`, "gu"), "\u00a0")
    .replace(/(?<=«)\s?(?=\S)/gu, "\u00a0")
    .replace(/(?<=[^\s«])\s?(?=»)/gu, "\u00a0");
}
