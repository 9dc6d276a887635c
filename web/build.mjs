// Bundle the figures into course_lib/figures/page/figures.js, with the licences of what is bundled: node build.mjs [--check] [--sizes]
//
// One classic script defines `courseFigures`; Python's V8, JupyterLab's widgets and static pages all run this one file.

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const PACKAGE = /node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const TARGET = join(HERE, "..", "course_lib", "figures", "page");
const result = await build({
  entryPoints: [join(HERE, "src", "index.ts")],
  absWorkingDir: HERE,
  bundle: true,
  format: "iife",
  globalName: "courseFigures",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  loader: { ".woff2": "base64", ".css": "text" },
  minify: true,
  charset: "utf8",
  legalComments: "none",
  metafile: true,
  write: false,
});

const bundled = new Set(Object.keys(result.metafile.inputs).flatMap((path) => path.match(PACKAGE)?.[1] ?? []));
const licences = [...bundled].sort().map((name) => {
  const folder = join(HERE, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return `## ${name} ${version} (${license})\n\n${readFileSync(join(folder, "LICENSE"), "utf8").trim()}\n`;
});
const outputs = {
  "figures.js": result.outputFiles[0].text,
  "THIRD_PARTY.md": `# What figures.js contains of others\n\n${licences.join("\n")}`,
};

let stale = 0;
for (const [name, text] of Object.entries(outputs)) {
  const place = join(TARGET, name);
  if (!process.argv.includes("--check")) writeFileSync(place, text);
  else if (readFileSync(place, "utf8") !== text) {
    console.error(`${name} is not what its sources give: run 'npm run build' in web/`);
    stale = 1;
  }
}
console.log(`figures.js: ${(Buffer.byteLength(outputs["figures.js"]) / 1000).toFixed(0)} kB`);
if (process.argv.includes("--sizes")) {
  const [{ inputs }] = Object.values(result.metafile.outputs);
  const parts = Object.entries(inputs).map(([path, { bytesInOutput }]) => [path, bytesInOutput]);
  for (const [path, bytes] of parts.sort(([, one], [, other]) => other - one)) console.log(`${bytes}\t${path}`);
}
process.exit(stale);
