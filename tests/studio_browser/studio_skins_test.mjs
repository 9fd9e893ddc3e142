// SPDX-License-Identifier: MIT
// Whatever has a surface is seen in the studio where its particles are, in a real browser: the bodies of every example, solids
// made from clouds of points and from a mesh, and recorded ones. node studio_skins_test.mjs PHYXEL SOURCE FOLDER. Ends with
// 77 (skipped) where there is no Chromium or no page.
//
// The test sits between the page and WebGL: it knows what bodies are drawn as, and can leave them out. So a body is what
// differs from the same picture without any.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { complaintsOf, finish, folder, launchBrowser, patience, pause, phyxel, source, until, within } from './browser.mjs';
import { StudioServer } from './studio_server.mjs';

const browser = await launchBrowser();

// ---- what is opened ----------------------------------------------------------------------------------------------------

/// Numbers from 0 to 1, always the same ones.
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const random = randomNumbers(5);
const turn = () => 2 * Math.PI * random();
const noise = (size) => [0, 0, 0].map(() => size * (random() + random() - 1));
const sum = (a, b) => a.map((x, k) => x + b[k]);

function ellipsoid() {
  const [z, angle] = [2 * random() - 1, turn()];
  const n = [Math.sqrt(1 - z * z) * Math.cos(angle), Math.sqrt(1 - z * z) * Math.sin(angle), z];
  return { point: [0.15 * n[0], 0.09 * n[1], 0.06 * n[2]], normal: [n[0] / 0.15, n[1] / 0.09, n[2] / 0.06] };
}

function torus() {
  const [u, v] = [turn(), turn()];
  if (1.4 * random() > 1 + 0.4 * Math.cos(v)) return torus(); // the outer side has more area than the inner one
  const normal = [Math.cos(v) * Math.cos(u), Math.cos(v) * Math.sin(u), Math.sin(v)];
  return { point: sum([0.1 * Math.cos(u), 0.1 * Math.sin(u), 0], normal.map((x) => 0.04 * x)), normal };
}

/// As from a scanner that did not see the underside.
function hole() {
  const found = ellipsoid();
  return found.point[2] > -0.045 ? found : hole();
}

function noisy() {
  const { point, normal } = torus();
  return { point: sum(point, noise(0.004)), normal: sum(normal, noise(0.4)) };
}

/// Both sides of something flat.
function sheet() {
  const side = random() < 0.5 ? -1 : 1;
  return { point: [0.3 * random() - 0.15, 0.2 * random() - 0.1, 0.01 * side], normal: [0, 0, side] };
}

const clouds = { ellipsoid, torus, hole, noisy, sheet };

function cloudText(make) {
  const rows = Array.from({ length: 1500 }, make).map(({ point, normal }) => [...point, ...normal].join(' '));
  const properties = ['x', 'y', 'z', 'nx', 'ny', 'nz'].map((name) => `property float ${name}`);
  return ['ply', 'format ascii 1.0', `element vertex ${rows.length}`, ...properties, 'end_header', ...rows, ''].join('\n');
}

const inFolder = (name) => join(folder, 'scenes', name);

function writeSolid(name, file, more = {}) {
  writeFileSync(inFolder(`${name}.json`), JSON.stringify({
    duration: 0.2, gravity: [0, 0, 0], bodies: [{ name: 'solid', type: 'solid', material: 'rubber', shape: { mesh: file }, ...more }],
  }));
}

function record(name, scene) {
  execFileSync(phyxel, ['run', inFolder(scene), '-o', inFolder(name), '--set', 'count=600', '--quiet'], { stdio: 'inherit' });
}

for (const [name, make] of Object.entries(clouds)) {
  writeFileSync(inFolder(`${name}.ply`), cloudText(make));
  writeSolid(name, `${name}.ply`);
}
writeFileSync(inFolder('tetra.obj'), 'v 0 0 0\nv 0.3 0 0\nv 0 0.3 0\nv 0 0 0.3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n');
writeSolid('tetra', 'tetra.obj');
// Recorded: as it is, with a skin that says nothing of the size of its surfels, and pulled to twice its length.
record('recorded', 'torus.json');
record('discs', 'torus.json');
for (const file of readdirSync(inFolder('discs/frames')).filter((name) => name.includes('_surface_')))
  writeFileSync(inFolder(`discs/frames/${file}`), readFileSync(inFolder('torus.ply')));
const pulled = (name, side) => {
  const [from, to] = side < 0 ? [-1, -0.11] : [0.11, 1];
  const keys = [{ time: 0, move: [0, 0, 0] }, { time: 0.2, move: [0.12 * side, 0, 0] }];
  return { name, shape: { box: { min: [from, -1, -1], max: [to, 1, 1] } }, motion: { keys } };
};
writeSolid('bar', 'ellipsoid.ply', { regions: [pulled('left', -1), pulled('right', 1)], solver: { type: 'implicit' } });
record('stretched', 'bar.json');

/// What is opened: where it is in the gallery, and what its skins are to be.
const shows = [
  ...readdirSync(join(source, 'examples/scenes')).filter((file) => file.endsWith('.json')).map((file) => {
    const name = basename(file, '.json');
    const { bodies, dimension } = JSON.parse(readFileSync(join(source, 'examples/scenes', file), 'utf8').replace(/^\s*\/\/.*$/gm, ''));
    const isFlat = dimension === 2;
    // A third as fine as they are meant to be, which takes a fraction of the time.
    const set = bodies.flatMap(({ type }, i) => (type === 'solid' ? [`bodies[${i}].skin.detail=32`] : []));
    // A mesh, or, where it flows, ellipses.
    return { name, card: `[data-example=${name}]`, kind: 'skin', count: bodies.filter((body) => body.start === undefined).length, isFlat, set,
      hasRigid: bodies.some(({ type }) => type === 'rigid') };
  // Flat ones have no surfaces, and hundreds of bodies are too small and too many to be told apart by their colours.
  }).filter(({ isFlat, count }) => !isFlat && count <= 64),
  ...['tetra', ...Object.keys(clouds), 'recorded', 'discs', 'stretched'].map((name) => (
    { name, card: `[data-path="${existsSync(inFolder(`${name}.json`)) ? `${name}.json` : name}"]`, kind: { tetra: 'mesh', discs: 'discs' }[name] ?? 'ellipses', count: 1, set: [] })),
];

// ---- the page ----------------------------------------------------------------------------------------------------------

const server = await StudioServer.start(phyxel, [join(folder, 'scenes'), '--threads', '2'], folder);
const context = await browser.newContext({ viewport: { width: 800, height: 450 }, colorScheme: 'light' });
await context.addInitScript(() => {
  const getContext = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, options) {
    return getContext.call(this, kind, { ...options, preserveDrawingBuffer: true });
  };
  // A body is known by its colour.
  window.bodies = { drawn: new Map(), shown: null };
  for (const name of ['drawArrays', 'drawElements']) {
    const draw = WebGL2RenderingContext.prototype[name];
    WebGL2RenderingContext.prototype[name] = function (mode, ...options) {
      const program = this.getParameter(this.CURRENT_PROGRAM);
      const uniform = (variable) => {
        const place = this.getUniformLocation(program, variable);
        return place === null ? null : this.getUniform(program, place);
      };
      const count = options[name === 'drawArrays' ? 1 : 0];
      if (uniform('byValue') !== null && count > 0) { // surroundings and shadows have none
        const color = [...uniform('plain')].join(' ');
        const surfels = uniform('longestAxis') > 0 ? 'ellipses' : 'discs';
        const skin = mode === this.POINTS ? surfels : 'mesh';
        window.bodies.drawn.set(color, this.getAttribLocation(program, 'facing') < 0 ? 'particles' : skin);
        if (![null, color].includes(window.bodies.shown)) return;
      }
      draw.call(this, mode, ...options);
    };
  }
  window.pictures = {};
});
const page = await context.newPage();
page.setDefaultTimeout(20_000 * patience);
const complaints = complaintsOf(page);

/// Draws anew, one body or all of them (null), and keeps the picture in the page; what bodies were drawn as.
const draw = (name, shown) => page.evaluate(async ([name, shown]) => {
  window.bodies.shown = shown;
  window.bodies.drawn.clear();
  document.getElementById('color-field').dispatchEvent(new Event('change'));
  await new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });
  const canvas = document.querySelector('.stage canvas');
  const paper = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
  paper.drawImage(canvas, 0, 0);
  window.pictures[name] = paper.getImageData(0, 0, canvas.width, canvas.height).data;
  return [...window.bodies.drawn];
}, [name, shown]);

/// Which parts of the pixels that the body's particles cover its skin covers, and how many others in the same unit.
const compare = (color) => page.evaluate((color) => {
  const [empty, particles, skin] = ['empty', `particles ${color}`, `surface ${color}`].map((name) => window.pictures[name]);
  const result = { expected: 0, found: 0, beside: 0 };
  const differs = (picture, i) => [0, 1, 2].some((k) => Math.abs(picture[i + k] - empty[i + k]) > 8);
  for (let i = 0; i < empty.length; i += 4) {
    const [expected, seen] = [differs(particles, i), differs(skin, i)];
    result.expected += expected ? 1 : 0;
    result.found += expected && seen ? 1 : 0;
    result.beside += !expected && seen ? 1 : 0;
  }
  return { expected: result.expected, found: result.found / result.expected, beside: result.beside / result.expected };
}, color);

let opened = null;

async function check({ name, card, kind, count, set, hasRigid = false }) {
  // Ends with its first frames, before fluids are spray that has no surface.
  const address = server.address + ['count=800', 'duration="0.05 s"', ...set].map((text) => `&set=${encodeURIComponent(text)}`).join('');
  if (address !== opened) await page.goto((opened = address));
  await page.locator(card).click();
  await page.locator('.scene-name', { hasText: name }).waitFor();
  await until('a frame', async () => Number(await page.locator('.playback').getAttribute('data-frame')) >= 1);
  // Most stop by themselves at their end; a click that comes just then would let them go on.
  await pause(page, false, 2).catch(() => pause(page));
  await page.locator('#color-field').selectOption('body');
  // There are two where some bodies have a skin of their own and others are given one.
  const settings = page.getByRole('group', { name: /^(Bodies|With a skin|Without a skin) as$/ });
  let colors = [];
  for (const [how, as] of [['surface', kind], ['particles', 'particles']]) {
    for (const setting of await settings.all()) await setting.getByLabel(how).check();
    await until(`${count} bodies are drawn as ${as}`, async () => {
      const drawn = await draw('all', null);
      colors = drawn.map(([color]) => color);
      return drawn.length === count && drawn.every(([, one]) => (as === 'skin' ? one !== 'particles' : one === as));
    });
    if (how === 'surface') await page.screenshot({ path: join(folder, `${name}.png`) });
    for (const color of colors) await draw(`${how} ${color}`, color);
  }
  await draw('empty', 'none');
  const figures = [];
  for (const color of colors) figures.push(await compare(color));
  const text = figures.map(({ expected, found, beside }) => `${found.toFixed(2)} + ${beside.toFixed(2)} of ${expected}`).join(', ');
  // Balls stick out where there are few of them, and lie deep in what is thin. A rigid body has the skin of its shape whatever
  // its particles, of which a small or thin one has few.
  const [least, most] = hasRigid ? [100, 1] : [300, 0.5];
  for (const { expected, found, beside } of figures)
    assert.ok(expected > least && found > (kind === 'ellipses' || kind === 'discs' ? 0.9 : 0.8) && beside < most, `skins cover ${text} pixels of their particles`);
  await page.getByRole('button', { name: 'Gallery' }).click();
  await page.locator('.card').first().waitFor();
  assert.deepEqual(complaints.splice(0), [], 'the console of the browser is quiet');
  return text;
}

let failed = false;
for (const show of shows) {
  const started = Date.now();
  try {
    const figures = await within(60, check(show));
    console.log(`passed  ${show.name}: ${figures} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed = true;
    console.log(`FAILED  ${show.name}: ${error.stack}`);
    await page.screenshot({ path: join(folder, 'failed.png') }).catch(() => undefined);
    break;
  }
}
await within(20, browser.close()).catch(() => undefined);
await server.stop();
finish(failed);
