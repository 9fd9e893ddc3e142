// SPDX-License-Identifier: MIT
// esbuild takes style sheets that are imported into the bundle.
declare module '*.css';
