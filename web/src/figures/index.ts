// Every figure by its name.

import type { AnyFigure } from "../figure";
import { alignment } from "./alignment";
import { attentionSteps } from "./attention_steps";
import { clock } from "./clock";
import { hull } from "./hull";
import { length } from "./length";
import { prediction } from "./prediction";
import { queryPlane } from "./query_plane";
import { sentence } from "./sentence";
import { translator } from "./translator";
import { wordMoves } from "./word_moves";

export const figures: Record<string, AnyFigure> = {
  alignment,
  "attention-steps": attentionSteps,
  clock,
  hull,
  length,
  prediction,
  "query-plane": queryPlane,
  sentence,
  translator,
  "word-moves": wordMoves,
};
