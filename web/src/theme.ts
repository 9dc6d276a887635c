// Colours and typeface as CSS: for the page, whose theme may change, and for a still, which brings its own.

import font from "@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2";
import palette from "../../course_lib/figures/palette.json";
import rules from "./style.css";

const variables = (scheme: "light" | "dark"): string => {
  const { series, ...roles } = palette[scheme];
  const numbered = series.map((colour, i) => [`series-${i + 1}`, colour]);
  return [...Object.entries(roles), ...numbered].map(([role, colour]) => `--cf-${role}:${colour}`).join(";");
};

const face = `@font-face{font-family:"Course Sans";font-weight:200 900;src:url(data:font/woff2;base64,${font})}`;

/** For the page. A dark page is one that says so, as JupyterLab and Sphinx do, or else a browser that prefers it. */
export const pageStyle = `${face}
.cf{${variables("light")}}
@media (prefers-color-scheme:dark){body:not([data-jp-theme-light]):not([data-theme="light"]) .cf{${variables("dark")}}}
[data-jp-theme-light="false"] .cf,[data-theme="dark"] .cf{${variables("dark")};color-scheme:dark}
${rules}`;

/** For a still: it is light or dark as the page around it. */
export const stillStyle = `${face}
svg{${variables("light")};font-family:"Course Sans",system-ui,sans-serif}
@media (prefers-color-scheme:dark){svg{${variables("dark")}}}`;
