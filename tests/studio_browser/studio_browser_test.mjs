// SPDX-License-Identifier: MIT
// The studio in a real browser: node studio_browser_test.mjs PHYXEL SOURCE FOLDER. PHYXEL is the command, SOURCE the source
// tree, FOLDER takes screenshots and what is saved. Ends with 77 (skipped) where there is no Chromium or no page.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { StudioServer } from './studio_server.mjs';

const [phyxel, source, folder] = process.argv.slice(2);
const web = join(source, 'apps/studio/web');
const browserProgram = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}
if (browserProgram === undefined) skip('there is no Chromium');
if (!existsSync(join(web, 'dist/index.html'))) skip('the page is not built; "./dev test studio" builds it');
if (!existsSync(join(web, 'node_modules/playwright-core'))) skip('playwright-core is not installed; "./dev test studio" does it');
const { chromium } = createRequire(join(web, 'package.json'))('playwright-core');

rmSync(folder, { recursive: true, force: true });
mkdirSync(join(folder, 'scenes'), { recursive: true });

// Coarse, so that frames come quickly with asserts on and without a graphics card; and long enough for all that is done.
const assignments = ['spacing="3 cm"', 'duration="20 s"'];
let server = await StudioServer.start(phyxel, [join(folder, 'scenes'), '--threads', '2']);
const browser = await chromium.launch({
  executablePath: browserProgram,
  args: [
    '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
    ...(process.getuid() === 0 ? ['--no-sandbox'] : []),
  ],
});
const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, colorScheme: 'light' });
// A handle on the page's socket, to break it.
await context.addInitScript(() => {
  window.WebSocket = class extends WebSocket {
    constructor(...options) {
      super(...options);
      window.lastSocket = this;
    }
  };
});
const page = await context.newPage();
page.setDefaultTimeout(20_000);
const complaints = [];
page.on('pageerror', (error) => complaints.push(error.message));
page.on('console', (message) => { if (message.type() === 'error') complaints.push(message.text()); });

// ---- what the page says ------------------------------------------------------------------------------------------------

const canvas = page.locator('.stage canvas');
const frame = async () => Number(await page.locator('.playback').getAttribute('data-frame'));
const hash = async () => page.locator('.playback').getAttribute('data-hash');
const screenshot = (name) => page.screenshot({ path: join(folder, `${name}.png`) });

async function until(what, condition, seconds = 20) {
  const end = Date.now() + 1000 * seconds;
  while (Date.now() < end) {
    const found = await condition();
    if (found) return found;
    await page.waitForTimeout(50);
  }
  throw new Error(`waited ${seconds} s in vain: ${what}`);
}

const waitForFrame = (number) => until(`frame ${number}`, async () => (await frame()) >= number);

/// It may come to its end by itself just before the click, which then is one on "Play".
async function pause() {
  const button = page.locator('.playback [data-playing]');
  await until('it stands still', async () => {
    if ((await button.getAttribute('data-playing')) === 'false') return true;
    await button.click();
    await page.waitForTimeout(300);
    return false;
  });
}

/// A pixel where the chosen tool would do something.
async function pixelOn(cursor) {
  const box = await canvas.boundingBox();
  for (const [x, y] of [[0.5, 0.5], [0.5, 0.4], [0.5, 0.6], [0.45, 0.5], [0.55, 0.5], [0.5, 0.3], [0.5, 0.7], [0.4, 0.4], [0.6, 0.6], [0.5, 0.8]]) {
    const place = { x: box.x + x * box.width, y: box.y + y * box.height };
    await page.mouse.move(place.x, place.y);
    await page.waitForTimeout(150);
    if ((await canvas.evaluate((element) => element.style.cursor)) === cursor) return place;
  }
  throw new Error(`nothing to ${cursor} was found`);
}

/// From the panel of the tool "Look at".
async function pickedPosition() {
  const value = page.locator('.facts dt', { hasText: 'Position' }).locator('xpath=following-sibling::dd[1]');
  return (await value.textContent()).replace(' m', '').split(', ').map(Number);
}

// ---- the tests, one after the other on one sitting -----------------------------------------------------------------------

let pickedPixel = null;

const tests = {
  async 'the gallery shows every example with its picture and its sentence'() {
    await page.goto(server.address + assignments.map((text) => `&set=${encodeURIComponent(text)}`).join(''));
    const examples = readdirSync(join(source, 'examples/scenes')).filter((name) => name.endsWith('.json'));
    await page.locator('.card').nth(examples.length - 1).waitFor();
    assert.equal(await page.locator('.card').count(), examples.length);
    for (const text of await page.locator('.card-text').allTextContents()) assert.notEqual(text, '');
    await page.locator('.gallery').evaluate((gallery) => gallery.scrollTo(0, gallery.scrollHeight));
    await until('all thumbnails', () => page.locator('.thumbnail img').evaluateAll(
      (images, count) => images.length === count && images.every((image) => image.naturalWidth === 320), examples.length));
    await page.locator('.gallery').evaluate((gallery) => gallery.scrollTo(0, 0));
    assert.equal(new URL(page.url()).searchParams.get('token'), null, 'the token stays out of the address bar');
    await screenshot('gallery');
  },

  async 'one click runs an example'() {
    await page.locator('[data-example=jelly_figure]').click();
    await waitForFrame(2);
    assert.match(await page.locator('.stat.particles').textContent(), /^\d/);
    assert.match(await page.locator('.hint').textContent(), /Drag the bear/);
  },

  async 'pause stands still and a step is one frame'() {
    await pause();
    const before = await frame();
    await page.waitForTimeout(700);
    assert.equal(await frame(), before);
    await page.getByRole('button', { name: 'One frame' }).click();
    await waitForFrame(before + 1);
    await page.waitForTimeout(300);
    assert.equal(await frame(), before + 1);
  },

  async 'a particle that is picked shows its fields and neighbours'() {
    await page.locator('[data-tool=pick]').click();
    pickedPixel = await pixelOn('pointer');
    await page.mouse.click(pickedPixel.x, pickedPixel.y);
    await page.locator('.facts dt', { hasText: 'Support' }).waitFor();
    assert.match(await page.locator('.facts').textContent(), /Neighbours\d+/);
    await screenshot('picked');
  },

  async 'what is dragged moves along'() {
    const before = await pickedPosition();
    await page.locator('[data-tool=grab]').click();
    // The pixel of the particle that was picked; grabbed first and played then, so that it is still there.
    const place = pickedPixel;
    const started = await frame();
    await page.mouse.move(place.x, place.y);
    await until('the cursor', async () => (await canvas.evaluate((element) => element.style.cursor)) === 'grab');
    await page.mouse.down();
    await page.keyboard.press('Space');
    await page.mouse.move(place.x + 160, place.y, { steps: 8 });
    await waitForFrame(started + 6);
    await screenshot('drag');
    await page.mouse.up();
    await pause();
    assert.equal(await page.locator('.hint').isVisible(), false, 'the hint goes away after the first drag');
    await page.locator('[data-tool=pick]').click();
    const after = await pickedPosition();
    // It falls on its own, but only the mouse moves it to the right.
    assert.ok(after[0] - before[0] > 0.02, `moved from ${before} to ${after}`);
  },

  async 'a region is fixed and let go'() {
    await page.locator('[data-tool=fix]').click();
    const place = await pixelOn('crosshair');
    await page.mouse.click(place.x, place.y);
    const letGo = page.getByRole('button', { name: 'Let go' });
    await letGo.waitFor();
    await page.getByRole('button', { name: 'Play' }).click();
    await waitForFrame((await frame()) + 3);
    await pause();
    await screenshot('fixed');
    await letGo.click();
    await letGo.waitFor({ state: 'detached' });
  },

  async 'a slider changes the value that the server has'() {
    const path = 'bodies.bear.material.youngs_modulus';
    const field = (where) => where.locator(`[data-path="${path}"] input[type=text]`);
    await field(page).fill('80000');
    await field(page).press('Enter');
    const other = await context.newPage();
    await other.goto(server.address);
    await other.locator('.playback').waitFor();
    await until('the other page to show the value', async () => Number(await field(other).inputValue()) === 80000);
    await field(other).fill('50000');
    await field(other).press('Enter');
    await until('the value to come back', async () => Number(await field(page).inputValue()) === 50000);
    await other.goto('about:blank'); // closing it now and then stops the frames of the first one
    await page.bringToFront();
    await page.getByRole('button', { name: 'Undo' }).click();
    await until('the value before', async () => Number(await field(page).inputValue()) === 40000);
  },

  async 'a reload comes back to the sitting'() {
    const before = await frame();
    await page.reload();
    await until('the frame', async () => (await frame()) === before);
    assert.equal(await page.locator('.scene-name').textContent(), 'jelly_figure');
    assert.equal(await page.getByRole('button', { name: 'Play' }).count(), 1);
  },

  async 'a sitting that is saved as a scene runs to the same bits'() {
    await page.getByRole('button', { name: 'Play' }).click();
    await waitForFrame((await frame()) + 3);
    await pause();
    const last = await frame();
    const live = await until('the hash', hash);
    await page.locator('.top-bar').getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Name').fill('sitting');
    await page.getByRole('button', { name: 'Save scene' }).click();
    const scene = join(folder, 'scenes/sitting.json');
    await until('the file', () => existsSync(scene));
    await page.getByRole('button', { name: 'Close' }).click();
    assert.equal(replayedHash(scene, last), live);
  },

  async 'what is wrong with a scene is shown where it is wrong'() {
    await page.locator('#tab-1').click();
    const text = page.getByLabel('Text of the scene');
    await text.evaluate((area) => {
      area.value = area.value.replace('"duration"', '"durration"');
      area.dispatchEvent(new Event('input'));
    });
    const line = (await text.inputValue()).split('\n').findIndex((content) => content.includes('durration')) + 1;
    await page.locator('.problems li').first().waitFor();
    assert.match(await page.locator('.problems').textContent(), new RegExp(`${line}:\\d+.*durration`));
    assert.equal(await page.locator('.backdrop .wrong').first().textContent(), '"durration"');
    assert.equal(await page.locator('.line-numbers .wrong').textContent(), `${line}\n`);
    assert.equal(await page.getByRole('button', { name: 'Run', exact: true }).isDisabled(), true);
    await text.evaluate((area) => area.scrollTo(0, 0));
    await screenshot('problems');
    await page.getByRole('button', { name: 'Revert' }).click();
    await until('no problems', async () => (await page.locator('.problems li').count()) === 0);
    await page.locator('#tab-0').click();
  },

  async 'a scene that is typed runs, and when it fails a banner says why'() {
    await page.locator('#tab-1').click();
    // Thousands of metres a second are too much for jelly.
    await page.getByLabel('Text of the scene').fill(`{ "spacing": "5 cm", "duration": 1, "domain": { "min": [0, 0, 0], "max": [1, 1, 1] },
  "bodies": [ { "name": "block", "type": "solid", "material": "jelly", "velocity": [0, 0, -3000],
                "shape": { "box": { "min": [0.3, 0.3, 0.3], "max": [0.6, 0.6, 0.6] } } } ] }\n`);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const banner = page.locator('[data-banner=failed]');
    await banner.waitFor();
    assert.match(await banner.textContent(), /block.*faster than 5 times the speed of sound/);
    await screenshot('failed_simulation');
    // It begins again, and fails again.
    await banner.evaluate((element) => (element.dataset.first = 'yes'));
    await banner.getByRole('button', { name: 'Restart' }).click();
    await page.locator('[data-banner=failed]:not([data-first])').waitFor();
    await page.locator('#tab-0').click();
  },

  async 'a lost connection is said, and comes back by itself'() {
    const banner = page.locator('[data-banner=connection]');
    await page.evaluate(() => window.lastSocket.close());
    await banner.waitFor();
    await banner.waitFor({ state: 'detached' });
    assert.notEqual(await page.locator('.scene-name').textContent(), '');
  },

  async 'the gallery is one click away, with what was saved'() {
    await page.getByRole('button', { name: 'Gallery' }).click();
    await page.locator('.card').first().waitFor();
    await page.locator('[data-path="sitting.json"]').waitFor();
  },

  async 'fluids are pushed'() {
    await page.locator('[data-example=dam_break_2d]').click();
    await waitForFrame(1);
    await pause();
    assert.equal(await page.locator('[data-tool=push]').getAttribute('aria-checked'), 'true');
    assert.equal(await page.locator('[data-tool=grab]').isDisabled(), true);
    await canvas.evaluate((element) => element.focus());
    const box = await canvas.boundingBox();
    await page.mouse.move(box.x + 0.25 * box.width, box.y + 0.7 * box.height);
    await until('the ball', async () => (await canvas.evaluate((element) => element.style.cursor)) === 'crosshair');
    const started = await frame();
    await page.mouse.down();
    await page.keyboard.press('Space');
    await page.mouse.move(box.x + 0.3 * box.width, box.y + 0.6 * box.height, { steps: 4 });
    await waitForFrame(started + 2);
    await screenshot('push');
    await page.mouse.up();
    assert.equal(await page.locator('.message.grave').count(), 0);
    await page.getByRole('button', { name: 'Coarser' }).click();
    await page.getByText('39 mm').waitFor();
    await until('fewer particles', async () => Number(await page.locator('.stat.particles').textContent().then(parseFloat)) < 180);
  },

  async 'a studio that was started anew is noticed'() {
    const port = new URL(server.address).port;
    await server.stop();
    await page.locator('[data-banner=connection]', { hasText: 'The connection is lost' }).waitFor();
    complaints.length = 0; // the browser tells of every attempt
    server = await StudioServer.start(phyxel, [join(folder, 'scenes'), '--port', port]);
    await page.locator('[data-banner=connection]', { hasText: 'no longer knows this page' }).waitFor();
    await page.goto(server.address);
    await page.locator('.card').first().waitFor();
    complaints.length = 0;
  },
};

/// The hash of the state in which `phyxel run` ends, from the log of the run.
function replayedHash(scene, frame) {
  const out = join(folder, 'replay');
  execFileSync(phyxel, ['run', scene, '-o', out, '--frames', `0:${frame + 1}`, '--quiet'], { stdio: 'inherit' });
  const found = new RegExp(`state at frame ${frame}: ([0-9a-f]{16})`).exec(readFileSync(join(out, 'log.txt'), 'utf8'));
  assert.notEqual(found, null, 'the run has written its hash');
  return found[1];
}

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  const started = Date.now();
  try {
    await test();
    assert.deepEqual(complaints.splice(0), [], 'the console of the browser is quiet');
    console.log(`passed  ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}: ${error.stack}`);
    await screenshot(`failed_${failed}`).catch(() => undefined);
    break; // the tests build on each other
  }
}
await browser.close();
await server.stop();
process.exit(failed === 0 ? 0 : 1);
