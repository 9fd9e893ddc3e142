// SPDX-License-Identifier: MIT
// Bundles the page into dist/: index.html, assets/ and the thumbnails of the gallery. Nothing is loaded from elsewhere.
import { build } from 'esbuild';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

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
