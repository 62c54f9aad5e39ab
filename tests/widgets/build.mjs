// Bundles each page of src/ into one folder: an HTML document, one script, one style sheet, and nothing from elsewhere.
//
//   node build.mjs OUT [NAME …]     all pages, or those of these names
//
// A page is src/NAME.js or src/NAME.jsx, whose first line is a comment with its title, and where it has markup of its own,
// src/NAME.html: what stands in the body. Scripts whose names begin with _ are parts of pages.
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, 'src');
const [out, ...only] = process.argv.slice(2);
if (!out) throw new Error('usage: node build.mjs OUT [NAME …]');

/** Files that a style sheet or a script names are written into it. */
const inlined = Object.fromEntries(['.png', '.gif', '.jpg', '.svg', '.woff', '.woff2', '.ttf', '.eot'].map((kind) => [kind, 'dataurl']));

const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/** A page asks for nothing from elsewhere, whatever its library would like to. */
const policy = "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'";

/** @param {string} name @param {string} title @param {string} body */
const page = (name, title, body) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${name}.css">
<body>
${body}
<script src="${name}.js"></script>
</body>
</html>
`;

const files = await readdir(source);
const scripts = files.map(parse).filter(({ name, ext }) => /^\.jsx?$/.test(ext) && !name.startsWith('_'));
const wanted = scripts.filter(({ name }) => only.length === 0 || only.includes(name));
await mkdir(out, { recursive: true });

await build({
  entryPoints: wanted.map(({ base }) => join(source, base)),
  outdir: out,
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'chrome120',
  jsx: 'automatic',
  charset: 'utf8',
  loader: inlined,
  define: { 'process.env.NODE_ENV': '"production"' },
  legalComments: 'none',
  logLevel: 'error',
});

for (const { name, base } of wanted) {
  const [first] = (await readFile(join(source, base), 'utf8')).split('\n');
  const title = /^\/\/ (.+)$/.exec(first)?.[1];
  if (!title) throw new Error(`src/${base}: the first line is a comment with the title`);
  const body = files.includes(`${name}.html`) ? await readFile(join(source, `${name}.html`), 'utf8') : '<main id="page"></main>\n';
  await writeFile(join(out, `${name}.html`), page(name, title, body));
  await writeFile(join(out, `${name}.css`), '', { flag: 'a' }); // a page without styles of its own has an empty sheet
}
await writeFile(join(out, 'pages.json'), JSON.stringify(scripts.map(({ name }) => name).sort()));
