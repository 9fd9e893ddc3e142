// SPDX-License-Identifier: MIT
// Bundles the page into dist/: index.html, assets/ and the thumbnails of the gallery. Nothing is loaded from elsewhere.
import { build } from 'esbuild';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

rmSync(here('dist'), { recursive: true, force: true });
mkdirSync(here('dist/assets'), { recursive: true });
await build({
  entryPoints: { studio: here('src/main.ts') },
  outdir: here('dist/assets'),
  bundle: true,
  minify: true,
  sourcemap: false,
  format: 'esm',
  target: 'es2022',
  legalComments: 'eof',
  logLevel: 'warning',
});
cpSync(here('index.html'), here('dist/index.html'));
cpSync(here('favicon.svg'), here('dist/assets/favicon.svg'));
cpSync(here('thumbnails'), here('dist/thumbnails'), { recursive: true });
// The server sends these to browsers that can read them, which is all; pictures are compressed already.
for (const file of ['index.html', 'assets/studio.js', 'assets/studio.css', 'assets/favicon.svg'])
  writeFileSync(here(`dist/${file}.gz`), gzipSync(readFileSync(here(`dist/${file}`)), { level: 9 }));
