// What the bundle offers: `courseFigures` in a page, and in Python's V8.

export { fileOf, mount, start, still, widget } from "./host";

import { figures } from "./figures";

export * as maths from "./maths";
export * as sound from "./sound";
export const names = (): string[] => Object.keys(figures);
export * as translator from "./translator";
