// Every figure by its name.

import type { AnyFigure } from "../figure";
import { alignment } from "./alignment";
import { attentionSteps } from "./attention_steps";
import { clinic } from "./clinic";
import { clock } from "./clock";
import { hull } from "./hull";
import { learning } from "./learning";
import { ledger } from "./ledger";
import { length } from "./length";
import { maskAndCache } from "./mask_and_cache";
import { prediction } from "./prediction";
import { queryPlane } from "./query_plane";
import { sentence } from "./sentence";
import { through } from "./through";
import { translator } from "./translator";
import { wordMoves } from "./word_moves";
import { writer } from "./writer";

export const figures: Record<string, AnyFigure> = {
  alignment,
  "attention-steps": attentionSteps,
  clinic,
  clock,
  learning,
  ledger,
  hull,
  length,
  "mask-and-cache": maskAndCache,
  prediction,
  "query-plane": queryPlane,
  sentence,
  through,
  translator,
  "word-moves": wordMoves,
  writer,
};
