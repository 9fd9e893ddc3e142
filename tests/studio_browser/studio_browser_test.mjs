// SPDX-License-Identifier: MIT
// The studio in a real browser: node studio_browser_test.mjs PHYXEL SOURCE FOLDER. Ends with 77 (skipped) where there is no
// Chromium or no page.
//
// How fast simulation, page and browser are is not known here: whatever is asked about the page is asked until it is so, and
// nothing counts on where a body is at some time, unless the simulation stands still. What fails is tried once more from the
// beginning, and both are told.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { complaintsOf, finish, folder, launchBrowser, patience, pause as pausePage, phyxel, source, until, within } from './browser.mjs';
import { StudioServer } from './studio_server.mjs';

const browser = await launchBrowser();
// Coarse, so that frames come quickly with asserts on and without a graphics card; and long enough for all that is done.
const assignments = ['spacing="3 cm"', 'duration="20 s"'];
let server = await StudioServer.start(phyxel, [join(folder, 'scenes'), '--threads', '2'], folder);
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
page.setDefaultTimeout(20_000 * patience);
const complaints = complaintsOf(page);

// ---- what the page says ------------------------------------------------------------------------------------------------

const canvas = page.locator('.stage canvas');
const frame = async () => Number(await page.locator('.playback').getAttribute('data-frame'));
const hash = async () => page.locator('.playback').getAttribute('data-hash');
const screenshot = (name) => page.screenshot({ path: join(folder, `${name}.png`) });

const waitForFrame = (number) => until(`frame ${number}`, async () => (await frame()) >= number);

const pause = (clicks = true) => pausePage(page, clicks);

/// Presses "Restart" and waits for the sitting that begins then.
async function restart(press = () => page.getByRole('button', { name: 'Restart' }).click()) {
  const sitting = () => page.locator('.playback').getAttribute('data-sitting');
  const before = await sitting();
  await press();
  await until('it begins anew', async () => (await sitting()) !== before && (await page.locator('.playback').getAttribute('data-frame')) !== null);
}

const bodyPlaces = [[0.5, 0.5], [0.5, 0.4], [0.5, 0.6], [0.45, 0.5], [0.55, 0.5], [0.5, 0.3], [0.5, 0.7], [0.4, 0.4], [0.6, 0.6], [0.5, 0.8]];
/// Wherever a body may have been dragged.
const wherever = [...bodyPlaces, ...[0.7, 0.3, 0.8, 0.2].flatMap((x) => [0.5, 0.4, 0.6, 0.3, 0.7, 0.8].map((y) => [x, y]))];
const keyMargin = 8; // pixels, a stroke; the cursor of the keyboard comes within half of that
/// Wherever a fluid may have flowed in a tank.
const fluidPlaces = [0.7, 0.75, 0.8, 0.65, 0.85, 0.6].flatMap((y) => [0.25, 0.35, 0.5, 0.65, 0.75].map((x) => [x, y]));

/// What lies under a pointer is found out with the next picture; until then the page says what was true before.
const drawn = () => page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));

/// A pixel where the chosen tool would do something, and also `margin` pixels away from it to all sides.
async function pixelOn(cursor, places = bodyPlaces, margin = 0) {
  const box = await canvas.boundingBox();
  const around = margin === 0 ? [[0, 0]] : [[0, 0], [margin, 0], [-margin, 0], [0, margin], [0, -margin]];
  const isOn = async (x, y, patience) => {
    await page.mouse.move(x, y);
    await page.waitForTimeout(patience);
    await drawn();
    return (await canvas.evaluate((element) => element.style.cursor)) === cursor;
  };
  for (const patience of [100, 500, 1500]) {
    for (const [x, y] of places) {
      const place = { x: box.x + x * box.width, y: box.y + y * box.height };
      let fits = true;
      for (const [dx, dy] of around) fits &&= await isOn(place.x + dx, place.y + dy, patience);
      if (fits) return place;
    }
  }
  throw new Error(`nothing to ${cursor} was found`);
}

/// Moves the cursor of the keyboard, which is on the picture or comes with the first stroke, to half a stroke from a place: in
/// long steps, as while a key stays down, and then in short ones.
async function steer(cursor, place) {
  await page.keyboard.press('ArrowLeft');
  await cursor.locator('span').waitFor();
  for (const [axis, [less, more]] of Object.entries({ x: ['ArrowLeft', 'ArrowRight'], y: ['ArrowUp', 'ArrowDown'] })) {
    const away = async () => place[axis] - (await cursor.evaluate((element, k) => element.getBoundingClientRect()[k], axis));
    for (let left = await away(); Math.abs(left) > 12; left = await away()) await page.keyboard.down(left < 0 ? less : more);
    for (const key of [less, more]) await page.keyboard.up(key);
    for (let left = await away(); Math.abs(left) > 4.5; left = await away()) await page.keyboard.press(left < 0 ? less : more);
  }
  await drawn();
}

/// Leaves the sitting, whatever was done in it.
async function toGallery() {
  await page.getByRole('button', { name: 'Gallery' }).click();
  const close = page.getByRole('button', { name: 'Close it' });
  await until('the gallery', async () => {
    if (await close.isVisible()) await close.click();
    return page.locator('.card').first().isVisible();
  });
}

/// From the panel of the tool "Look at".
async function pickedPosition() {
  const value = page.locator('.facts dt', { hasText: /^Position$/ }).locator('xpath=following-sibling::dd[1]');
  return (await value.textContent()).replace(' m', '').split(', ').map(Number);
}

// ---- the tests, one after the other on one sitting -----------------------------------------------------------------------

let pickedPixel = null;
let savedFrame = 0; ///< at which the sitting was saved

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
    await until('their number', async () => /^\d/.test(await page.locator('.stat.particles').textContent()));
    await until('the hint', async () => /Drag the bear/.test(await page.locator('.hint').textContent()));
  },

  async 'earlier moments are drawn behind the present one'() {
    const earlier = async () => (await canvas.getAttribute('data-earlier')).split(' ').filter((text) => text !== '').map(Number);
    const setting = page.getByRole('group', { name: 'Earlier moments' });
    await setting.getByLabel('3', { exact: true }).check();
    await page.getByLabel('One moment every').first().fill('8');
    await page.getByLabel('One moment every').first().press('Enter');
    await until('two moments', async () => (await earlier()).length >= 2);
    await pause();
    // Where the page is slow, so many frames may have been left out at last that all of them are too old. Then it makes a few more.
    const { now, kept } = await until('those just before', async () => {
      const [present, moments] = [await frame(), await earlier()];
      if (moments.length > 0 && moments.every((moment) => moment < present && moment >= present - 32)) return { now: present, kept: moments };
      await page.getByRole('button', { name: 'One frame' }).click();
      await waitForFrame(present + 1);
      return null;
    });
    assert.deepEqual(kept, kept.toSorted((a, b) => a - b), 'the oldest is drawn first');
    assert.equal(new Set(kept.map((moment) => Math.floor(moment / 8))).size, kept.length, `${kept} before ${now}`);
    await page.mouse.move(5, 5);
    const picture = async () => (await canvas.screenshot()).toString('base64');
    const withThem = await picture();
    await screenshot('earlier_moments');
    await setting.getByLabel('off').check();
    await until('none', async () => (await earlier()).length === 0);
    await until('a picture without what could be seen', async () => (await picture()) !== withThem);
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
    // The button that was clicked has the focus, and Space plays all the same.
    await page.keyboard.press('Space');
    await waitForFrame(before + 3);
    await pause();
  },

  async 'two places that are clicked are measured'() {
    await page.keyboard.press('m');
    const first = await pixelOn('pointer');
    const box = await canvas.boundingBox();
    const near = [[30, 0], [-30, 0], [0, 30], [0, -30]].map(([dx, dy]) => [(first.x + dx - box.x) / box.width, (first.y + dy - box.y) / box.height]);
    const places = [first, await pixelOn('pointer', near)];
    const facts = async () => {
      const texts = await page.locator('.tool-panel .facts > *').allTextContents();
      return Object.fromEntries(texts.flatMap((text, k) => (k % 2 === 0 ? [[text, texts[k + 1]]] : [])));
    };
    const meters = (text) => Number.parseFloat(text) * { m: 1, mm: 1e-3, µm: 1e-6, nm: 1e-9 }[text.split(' ')[1]];
    for (const { x, y } of places) await page.mouse.click(x, y);
    await until('a distance', async () => /^\d/.test((await facts()).Distance ?? ''));
    const measured = await facts();
    await screenshot('measured');
    const ways = ['x', 'y', 'z'].map((axis) => meters(measured[`Along ${axis}`]));
    assert.ok(Math.abs(Math.hypot(...ways) - meters(measured.Distance)) < 1e-3 * meters(measured.Distance), JSON.stringify(measured));
    // The ends are particles, which stay its ends with the next frame; what the other tool says of them adds up.
    const before = await frame();
    await page.getByRole('button', { name: 'One frame' }).click();
    await waitForFrame(before + 1);
    await until('the same ends', async () => (await facts()).From === measured.From && (await facts()).To === measured.To);
    const after = await facts();
    await page.locator('[data-tool=pick]').click();
    const ends = [];
    for (const end of [after.From, after.To]) {
      await page.getByLabel('Number of the particle').fill(end.split(' ').at(-1));
      await page.getByRole('button', { name: 'Look', exact: true }).click();
      await until(end, async () => (await facts()).Particle === end);
      ends.push(await pickedPosition());
    }
    const apart = Math.hypot(...ends[0].map((x, k) => x - ends[1][k]));
    assert.ok(Math.abs(apart - meters(after.Distance)) < 2e-3, `${apart} and ${after.Distance}`);
    await page.getByRole('button', { name: 'Forget' }).click();
    await page.keyboard.press('m');
    await page.getByRole('button', { name: 'Forget' }).click();
    assert.deepEqual(await facts(), {});
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
    await page.locator('.hint').waitFor({ state: 'hidden' }); // after the first drag
    await page.locator('[data-tool=pick]').click();
    // It falls on its own, but only the mouse moves it to the right.
    await until(`moved from ${before}`, async () => (await pickedPosition())[0] - before[0] > 0.02);
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

  async 'tools work without a mouse'() {
    await page.locator('[data-tool=grab]').click();
    const place = await pixelOn('grab', wherever, keyMargin);
    await page.mouse.move(5, 5);
    const cursor = page.locator('.key-cursor');
    const pose = () => page.evaluate(() => sessionStorage.getItem('phyxel.camera'));
    await page.locator('[data-tool=grab]').focus();
    await until('the picture has the focus', async () => {
      await page.keyboard.press('Shift+Tab');
      return canvas.evaluate((element) => document.activeElement === element);
    });
    await cursor.locator('span').waitFor();
    await steer(cursor, place);
    await until('it is on the body', async () => (await cursor.getAttribute('data-state')) === 'ready');
    assert.match(await cursor.textContent(), /Enter: grab/);
    const started = await frame();
    await page.keyboard.press('Enter');
    await until('it is held', async () => (await cursor.getAttribute('data-state')) === 'holding');
    await page.keyboard.press('Space');
    await page.keyboard.down('ArrowRight');
    for (let i = 0; i < 6; ++i) await page.keyboard.down('ArrowRight'); // it stays down
    await page.keyboard.up('ArrowRight');
    await waitForFrame(started + 4);
    const readout = () => page.locator('.tool-panel .readout').textContent();
    await until('how far it moved', async () => /phyxel \d+: moved \d/.test(await readout()));
    await screenshot('keyboard');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Space');
    await until('nothing is held', async () => /Drag a body/.test(await readout()));
    // With a tool that clicks, one stroke of Enter is a click.
    await pause(false); // clicks would take the cursor away
    await page.keyboard.press('f');
    const other = await pixelOn('crosshair', wherever, keyMargin); // it was pulled away from the place before
    await page.mouse.move(5, 5);
    await steer(cursor, other);
    await until('it is on the body', async () => (await cursor.getAttribute('data-state')) === 'ready');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Let go' }).waitFor();
    await canvas.evaluate((element) => element.focus());
    const before = await pose();
    await page.keyboard.press('Shift+ArrowRight');
    await until('the view is turned', async () => (await pose()) !== before);
    const turned = await pose();
    await page.keyboard.press('Control+ArrowLeft');
    await until('the view is moved', async () => (await pose()) !== turned);
    await page.getByRole('button', { name: 'Let go' }).click();
    await page.getByRole('button', { name: 'Let go' }).waitFor({ state: 'detached' });
  },

  async 'fingers use the tool, turn the view, and pinch'() {
    const tablet = await browser.newContext({ viewport: { width: 820, height: 1180 }, hasTouch: true, colorScheme: 'light' });
    const other = await tablet.newPage();
    other.on('pageerror', (error) => complaints.push(error.message));
    await other.goto(server.address);
    const picture = other.locator('.stage canvas');
    await until('the frame', async () => (await other.locator('.playback').getAttribute('data-frame')) !== null);
    const device = await tablet.newCDPSession(other);
    const touch = (type, ...places) => device.send('Input.dispatchTouchEvent', { type, touchPoints: places.map(([x, y], id) => ({ x, y, id })) });
    const readout = () => other.locator('.tool-panel .readout').first().textContent();
    const pose = async () => JSON.parse(await other.evaluate(() => sessionStorage.getItem('phyxel.camera'))).pose;
    const away = ({ position, target }) => Math.hypot(...position.map((x, k) => x - target[k]));

    // Everything that is pressed is large enough, and nothing lies beyond the edges.
    const layout = await other.evaluate(() => ({
      small: [...document.querySelectorAll('button, select, input')].filter((part) => part.offsetParent !== null && part.getBoundingClientRect().height < 40).map((part) => part.outerHTML),
      beyond: document.documentElement.scrollWidth > innerWidth || document.querySelector('.controls').scrollWidth > innerWidth,
      stage: document.querySelector('.stage').clientHeight,
    }));
    assert.deepEqual(layout.small, []);
    assert.equal(layout.beyond, false);
    assert.ok(layout.stage > 400);

    // One finger on the body grabs it.
    const box = await picture.boundingBox();
    const middle = await until('a finger grabs the body', async () => {
      for (const [x, y] of [0.5, 0.6, 0.7, 0.4, 0.8].flatMap((y) => [0.5, 0.4, 0.6, 0.7].map((x) => [x, y]))) {
        const place = [box.x + x * box.width, box.y + y * box.height];
        await touch('touchStart', place);
        if (/phyxel/.test(await readout())) return place;
        await touch('touchEnd');
      }
    });
    await touch('touchMove', [middle[0] + 60, middle[1]]);
    await until('the spring is long', async () => /spring is \d/.test(await readout()));
    await other.screenshot({ path: join(folder, 'touch.png') });
    // A second one lets go, and both move the camera.
    await touch('touchStart', [middle[0] + 60, middle[1]], [middle[0] + 160, middle[1]]);
    await until('nothing is held', async () => /Drag a body/.test(await readout()));
    for (let wide = 20; wide <= 80; wide += 20) await touch('touchMove', [middle[0] + 60 - wide, middle[1]], [middle[0] + 160 + wide, middle[1]]);
    await until('the view is nearer', async () => (await other.evaluate(() => sessionStorage.getItem('phyxel.camera'))) !== null);
    const near = await pose();
    await touch('touchMove', [middle[0] + 100, middle[1]], [middle[0] + 120, middle[1]]);
    await until('the view is farther', async () => away(await pose()) > 1.5 * away(near));
    await touch('touchEnd');
    await until('nothing is offered without a finger', () => picture.evaluate((element) => element.style.cursor === ''));

    // One finger beside the body turns.
    const before = await pose();
    await touch('touchStart', [box.x + 0.9 * box.width, box.y + 0.9 * box.height]);
    await touch('touchMove', [box.x + 0.8 * box.width, box.y + 0.9 * box.height]);
    await touch('touchMove', [box.x + 0.7 * box.width, box.y + 0.9 * box.height]);
    // It comes to rest first: browsers take a tap that follows a swipe at once for one that ends the swipe.
    await other.waitForTimeout(300);
    await touch('touchMove', [box.x + 0.7 * box.width, box.y + 0.9 * box.height + 1]);
    await touch('touchEnd');
    const turned = await until('turned', async () => {
      const now = await pose();
      return now.position[0] !== before.position[0] ? now : null;
    });
    assert.ok(Math.abs(away(turned) - away(before)) < 1e-6 * away(before), 'no nearer');
    // There and back: the panel folds. A tap is a click only once the browser has seen that it is no more than a tap.
    await other.getByRole('button', { name: 'Panel' }).tap();
    await other.locator('.side').waitFor({ state: 'hidden' });
    await other.getByRole('button', { name: 'Panel' }).tap();
    await other.locator('.side').waitFor({ state: 'visible' });
    await tablet.close();
    await page.bringToFront();
  },

  async 'a body is dropped in, and everything else stays'() {
    // From the beginning, so that what is saved later is a short run.
    await restart();
    await waitForFrame(1);
    await pause();
    await page.locator('[data-tool=drop]').click();
    const names = () => page.locator('#drop-like option').allTextContents();
    const settings = () => page.evaluate(() => [sessionStorage.getItem('phyxel.camera'), document.querySelector('#color-field').value, document.querySelector('[data-tool=drop]').ariaChecked]);
    const before = { names: await names(), particles: parseFloat(await page.locator('.stat.particles').textContent()), settings: await settings() };
    const box = await canvas.boundingBox();
    const place = { x: box.x + 0.8 * box.width, y: box.y + 0.3 * box.height };
    await page.mouse.move(place.x, place.y);
    await until('the ghost', async () => (await canvas.evaluate((element) => element.style.cursor)) === 'copy');
    await screenshot('drop');
    await page.mouse.click(place.x, place.y);
    await until('the body', async () => (await names()).length === before.names.length + 1);
    assert.deepEqual(await names(), [...before.names, 'ball']);
    const started = await frame();
    await page.getByRole('button', { name: 'Play' }).click();
    await waitForFrame(started + 3);
    await until('its particles', async () => parseFloat(await page.locator('.stat.particles').textContent()) > before.particles);
    await pause();
    await screenshot('dropped');
    assert.deepEqual(await settings(), before.settings);
    await page.locator('[data-path^="bodies.ball."]').first().waitFor(); // it has sliders
    // One that is too small for a single particle is refused, and that is said.
    await page.getByLabel('Size', { exact: true }).first().fill('0.001');
    await page.getByLabel('Size', { exact: true }).first().press('Enter');
    await page.mouse.move(place.x + 1, place.y);
    await page.mouse.click(place.x, place.y);
    await page.locator('.message.grave').waitFor();
    assert.equal((await names()).length, before.names.length + 1);
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
    await page.locator('.scene-name', { hasText: 'jelly_figure' }).waitFor();
    await page.getByRole('button', { name: 'Play' }).waitFor();
  },

  async 'a sitting that is saved as a scene runs to the same bits'() {
    await page.getByRole('button', { name: 'Play' }).click();
    await waitForFrame((await frame()) + 3);
    await pause();
    const last = (savedFrame = await frame());
    const live = await until('the hash', hash);
    await page.locator('.top-bar').getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Name').fill('sitting');
    await page.getByRole('button', { name: 'Save scene' }).click();
    const scene = join(folder, 'scenes/sitting.json');
    await until('the file', () => existsSync(scene));
    await page.getByLabel('Name').fill('moment');
    await page.getByRole('button', { name: 'Save checkpoint' }).click();
    await until('the checkpoint', () => existsSync(join(folder, 'scenes/moment.phyxel')));
    await page.getByRole('button', { name: 'Close' }).click();
    assert.equal(replayedHash(scene, last), live);
  },

  async 'a restart keeps the values of the sliders, and they can still be undone'() {
    const field = page.locator('[data-path="bodies.bear.material.youngs_modulus"] input[type=text]');
    const value = async () => Number(await field.inputValue());
    await field.fill('80000');
    await field.press('Enter');
    await page.locator('[data-tool=fix]').click();
    await restart();
    assert.equal(await value(), 80000);
    assert.equal(await page.locator('[data-tool=fix]').getAttribute('aria-checked'), 'true', 'the tool stays');
    await page.getByRole('button', { name: 'Undo' }).click();
    await until('the value before', async () => (await value()) === 40000);
    await page.getByRole('button', { name: 'Redo' }).click();
    await until('the value again', async () => (await value()) === 80000);
    await restart(() => page.locator('body').press('Shift+R'));
    await until('the value as opened', async () => (await value()) === 40000);
    await pause();
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
    await until('the place', async () => (await page.locator('.backdrop .wrong').first().textContent()) === '"durration"');
    assert.equal(await page.locator('.line-numbers .wrong').textContent(), `${line}\n`);
    await until('no run', () => page.getByRole('button', { name: 'Run', exact: true }).isDisabled());
    await text.evaluate((area) => area.scrollTo(0, 0));
    await screenshot('problems');
    await page.getByRole('button', { name: 'Revert' }).click();
    assert.equal(await page.getByRole('button', { name: 'Run', exact: true }).isDisabled(), false, 'what is corrected may run at once');
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
    // Half a second later it may be there again, so what is said is taken down in the page.
    await page.evaluate(() => {
      window.said = '';
      new MutationObserver(() => { window.said += document.querySelector('[data-banner=connection]')?.textContent ?? ''; }).observe(document.body, { childList: true, subtree: true });
      window.lastSocket.close();
    });
    await until('it is said', () => page.evaluate(() => /The connection is lost/.test(window.said)));
    await page.locator('[data-banner=connection]').waitFor({ state: 'detached' });
    await until('the scene', async () => (await page.locator('.scene-name').textContent()) !== '');
  },

  async 'the gallery is one click away, with what was saved'() {
    await toGallery();
    await page.locator('[data-path="sitting.json"]').waitFor();
  },

  async 'a checkpoint goes on from its moment'() {
    await page.locator('[data-path="moment.phyxel"]').click();
    await page.locator('.scene-name', { hasText: 'moment' }).waitFor();
    await until('it goes on', async () => (await frame()) > savedFrame);
    await screenshot('checkpoint');
    await toGallery();
  },

  async 'a clip shows what is played, and ends with the run'() {
    await page.locator('[data-path=replay]').click();
    await until('the first frame', async () => (await page.locator('.stat.steps').textContent()) === 'recorded');
    await pause();
    const timeline = page.getByLabel('Time', { exact: true });
    await page.getByRole('group', { name: 'Earlier moments' }).getByLabel('3', { exact: true }).check();
    const nearEnd = Math.max(0, Number(await timeline.getAttribute('max')) - 10);
    await timeline.fill(String(nearEnd));
    await until('another moment', async () => (await frame()) === nearEnd);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Clip' }).click();
    await page.locator('.clip-clock', { hasText: /0:0[1-9]/ }).waitFor(); // also what stands still is in it
    await page.getByRole('button', { name: 'Play' }).click();
    await until('an earlier moment', async () => (await canvas.getAttribute('data-earlier')) !== '');
    await screenshot('clip');
    const clip = await downloading;
    assert.equal(clip.suggestedFilename(), 'replay.webm');
    await page.locator('.clip-clock').waitFor({ state: 'hidden' });
    const bytes = readFileSync(await clip.path()).toString('base64');
    // In a page of its own, as ours may load nothing but what the server has.
    const player = await context.newPage();
    const shown = await player.evaluate(async (data) => {
      const video = document.createElement('video');
      video.muted = true;
      video.src = `data:video/webm;base64,${data}`;
      video.playbackRate = 8;
      await video.play();
      const { duration } = video;
      await new Promise((resolve) => (video.onended = resolve));
      const paper = document.createElement('canvas');
      [paper.width, paper.height] = [video.videoWidth, video.videoHeight];
      paper.getContext('2d').drawImage(video, 0, 0);
      const pixels = paper.getContext('2d').getImageData(0, 0, paper.width, paper.height).data;
      const colors = new Set();
      for (let i = 0; i < pixels.length; i += 4) colors.add(`${pixels[i] >> 4} ${pixels[i + 1] >> 4} ${pixels[i + 2] >> 4}`);
      return { colors: colors.size, width: paper.width, corner: pixels[0], seconds: video.currentTime, duration };
    }, bytes);
    await player.close();
    await page.bringToFront();
    assert.ok(shown.colors > 20 && shown.corner > 150, JSON.stringify(shown));
    assert.ok(Math.abs(shown.duration - shown.seconds) < 0.5, `players know how long it is: ${JSON.stringify(shown)}`);
    assert.ok(shown.seconds > 0.5 && shown.width === (await canvas.evaluate((element) => element.width)), JSON.stringify(shown));
    await page.getByRole('group', { name: 'Earlier moments' }).getByLabel('off').check();
  },

  async 'a recorded run goes on as a simulation'() {
    await page.getByRole('button', { name: 'Go on live' }).click();
    await until('steps are made', async () => /\d steps/.test(await page.locator('.stat.steps').textContent()));
    await until('it goes on', async () => (await frame()) > savedFrame);
    assert.equal(await page.locator('[data-tool=grab]').isDisabled(), false);
    assert.equal(await page.getByRole('button', { name: 'Go on live' }).count(), 0);
    await toGallery();
  },

  async 'fluids are pushed'() {
    await page.locator('[data-example=dam_break_2d]').click();
    await page.locator('.scene-name', { hasText: 'dam_break_2d' }).waitFor();
    await waitForFrame(1);
    await pause();
    await until('the ball is chosen', async () => (await page.locator('[data-tool=push]').getAttribute('aria-checked')) === 'true');
    await until('nothing to grab', () => page.locator('[data-tool=grab]').isDisabled());
    await canvas.evaluate((element) => element.focus());
    const place = await pixelOn('crosshair', fluidPlaces);
    const started = await frame();
    await page.mouse.down();
    await page.keyboard.press('Space');
    await page.mouse.move(place.x + 40, place.y - 40, { steps: 4 });
    await waitForFrame(started + 2);
    await screenshot('push');
    await page.mouse.up();
    assert.equal(await page.locator('.message.grave').count(), 0);
    await page.getByRole('button', { name: 'Coarser' }).click();
    await page.getByText('39 mm').waitFor();
    await until('fewer particles', async () => Number(await page.locator('.stat.particles').textContent().then(parseFloat)) < 180);
  },

  async 'fluids are poured'() {
    await page.keyboard.press('p');
    const count = async () => parseFloat((await page.locator('.stat.particles').textContent()).replace(/\D/g, ''));
    const note = page.locator('.tool-panel .readout');
    await pause();
    const before = await count();
    const box = await canvas.boundingBox();
    await page.mouse.move(box.x + 0.6 * box.width, box.y + 0.3 * box.height);
    await page.mouse.down();
    await page.keyboard.press('Space');
    await until('the jet', async () => /one jet/.test(await note.textContent()));
    await page.mouse.move(box.x + 0.61 * box.width, box.y + 0.3 * box.height, { steps: 3 });
    await until('more particles', async () => (await count()) > before);
    await screenshot('pour');
    await page.mouse.up();
    await until('no jet', async () => /Press and hold/.test(await note.textContent()));
    assert.equal(await page.locator('.message.grave').count(), 0);
  },

  async 'fluids have surfaces for those who ask'() {
    await toGallery();
    await page.locator('[data-example=drop_in_pool]').click();
    await page.locator('.scene-name', { hasText: 'drop_in_pool' }).waitFor();
    await waitForFrame(1);
    await pause();
    await page.mouse.move(5, 5);
    const picture = async () => (await canvas.screenshot()).toString('base64');
    const particles = await picture();
    const setting = page.getByRole('group', { name: 'Bodies as' });
    await setting.getByLabel('surface').check();
    await until('another picture', async () => (await picture()) !== particles);
    await screenshot('fluid_surface');
    const surface = await picture();
    // Coloured by whatever the particles have, with a legend that says what the colours mean.
    await page.locator('#color-field').selectOption('pressure');
    const marks = () => page.locator('.legend-marks span').allTextContents();
    await until('a legend of pressures', async () => new Set(await marks()).size === 3 && (await marks())[2].endsWith('Pa'));
    await until('other colours', async () => (await picture()) !== surface);
    await screenshot('surface_by_pressure');
    const legend = await marks();
    // A page that comes later shows the same.
    const other = await context.newPage();
    await other.goto(server.address);
    await other.locator('#color-field').selectOption('pressure');
    await until(`${legend} on another page`, async () => `${await other.locator('.legend-marks span').allTextContents()}` === `${legend}`);
    await other.goto('about:blank'); // closing it now and then stops the frames of the first one
    await page.bringToFront();
    const byPressure = await picture();
    await setting.getByLabel('particles').check();
    await until('particles again', async () => (await picture()) !== byPressure);
    assert.equal(await page.locator('.message.grave').count(), 0);
  },

  async 'a heat gun warms what it is held on, where no heat flowed before'() {
    await toGallery();
    await page.locator('[data-example=melting_ring]').click();
    await page.locator('.scene-name', { hasText: 'melting_ring' }).waitFor();
    await waitForFrame(1);
    await pause();
    await page.locator('#color-field').selectOption('temperature');
    // In kelvin, the highest of the legend.
    const hottest = async () => Math.max(...(await page.locator('.legend-marks span').allTextContents()).map(Number.parseFloat));
    await until('a legend of zeros', async () => (await hottest()) === 0);
    await canvas.evaluate((element) => element.focus());
    await page.keyboard.press('h');
    const place = await pixelOn('crosshair', wherever);
    const readout = page.locator('.tool-panel .readout');
    await page.getByLabel('Power', { exact: true }).first().fill('2000000');
    await page.getByLabel('Power', { exact: true }).first().press('Enter');
    await canvas.evaluate((element) => element.focus());
    await page.mouse.move(place.x, place.y);
    await page.mouse.down();
    await until('what it is held on', async () => /2 MW into the cuboid/.test(await readout.textContent()));
    await page.keyboard.press('Space');
    await until('it gets warmer than at the start', async () => (await hottest()) > 300);
    await page.mouse.move(place.x + 25, place.y, { steps: 4 });
    await waitForFrame((await frame()) + 2);
    await screenshot('heat_gun');
    const before = await hottest();
    // The slider counts at once.
    await page.getByLabel('Radius', { exact: true }).last().press('ArrowLeft');
    await page.mouse.up();
    await until('nothing is held', async () => /Hold it on a body/.test(await readout.textContent()));
    assert.ok(before > 300 && before < 1e5, `${before} K`);
    assert.equal(await page.locator('.message.grave').count(), 0);
    await pause();
    // Where nothing can be warmed it is not offered; see below.
    assert.equal(await page.locator('[data-tool=warm]').isDisabled(), false);
  },

  async 'switches, words and numbers that are not set follow the scene and the hand'() {
    const material = (name) => page.locator(`[data-path="bodies.cuboid.material.${name}"]`);
    const flows = material('flows').getByRole('switch');
    const stress = material('yield_stress').locator('input[type=text]');
    const strain = material('yield_strain').locator('input[type=text]');
    // By an event of the scene, after 0.3 s; from the beginning, as on a slow machine the heat gun may have taken until
    // 2.2 s, when another event takes it back.
    await restart(() => page.locator('body').press('Shift+R'));
    if ((await page.locator('.playback [data-playing]').getAttribute('data-playing')) === 'false')
      await page.getByRole('button', { name: 'Play' }).click();
    await waitForFrame(10);
    await until('the event of the scene', async () => (await flows.isChecked()) && Number(await stress.inputValue()) === 1200);
    await pause();
    // By hand, and back; on all pages.
    const other = await context.newPage();
    await other.goto(server.address);
    const otherFlows = other.locator('[data-path="bodies.cuboid.material.flows"]').getByRole('switch');
    await until('the switch of another page', async () => (await otherFlows.count()) === 1 && (await otherFlows.isChecked()));
    await page.bringToFront();
    await flows.click();
    await until('it is off on the other page', async () => !(await otherFlows.isChecked()));
    await page.getByRole('button', { name: 'Undo' }).click();
    await until('it is on again', async () => (await flows.isChecked()) && (await otherFlows.isChecked()));
    await other.goto('about:blank'); // closing it now and then stops the frames of the first one
    await page.bringToFront();
    // A number is taken away, and another one takes its place.
    await page.getByRole('button', { name: 'Clear: Yield stress' }).click();
    await until('it is not set', async () => (await stress.getAttribute('placeholder')) === 'not set' && (await stress.inputValue()) === '');
    await strain.fill('-1');
    await strain.press('Enter');
    assert.equal(await strain.getAttribute('aria-invalid'), 'true');
    await strain.fill('0.02');
    await strain.press('Enter');
    await material('yield_strain').locator('input[type=range]').waitFor();
    await stress.fill('900');
    await stress.press('Enter');
    await until('one instead of the other', async () => (await strain.inputValue()) === '');
    await material('law').scrollIntoViewIfNeeded();
    await material('creep_rate').scrollIntoViewIfNeeded();
    await screenshot('switches');
    // What does not go together is refused in one line, and what was chosen goes back.
    const law = material('law').locator('select');
    await law.selectOption('corotated');
    await page.locator('.message.grave').waitFor();
    await until('the law before', async () => (await law.inputValue()) === 'neo_hookean');
    await page.getByRole('button', { name: 'Play' }).click();
    await waitForFrame((await frame()) + 3);
    await pause();
    const last = await frame();
    const live = await until('the hash', hash);
    await page.locator('.top-bar').getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Name').fill('warmed');
    await page.getByRole('button', { name: 'Save scene' }).click();
    const scene = join(folder, 'scenes/warmed.json');
    await until('the file', () => existsSync(scene));
    await page.getByRole('button', { name: 'Close' }).click();
    assert.equal(replayedHash(scene, last, 'warmed_again'), live);
    await toGallery();
    await page.locator('[data-example=drop_in_pool]').click();
    await page.locator('.scene-name', { hasText: 'drop_in_pool' }).waitFor();
    await until('nothing to warm', () => page.locator('[data-tool=warm]').isDisabled());
    await waitForFrame(1);
    await pause();
  },

  async 'the camera stays above the floor'() {
    const height = async () => JSON.parse(await page.evaluate(() => sessionStorage.getItem('phyxel.camera'))).pose.position[2];
    await canvas.evaluate((element) => element.focus());
    await page.keyboard.press('Shift+ArrowDown');
    const before = await until('the view is turned', height);
    for (let i = 0; i < 40; ++i) await page.keyboard.press('Shift+ArrowDown');
    for (let i = 0; i < 20; ++i) await page.keyboard.press('Control+ArrowDown');
    await until('the view is level', async () => (await height()) < before);
    assert.ok((await height()) > 0, `${await height()} m above the floor`);
    await screenshot('floor');
    await page.keyboard.press('a');
  },

  async 'everything fits on a telephone'() {
    const telephone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' });
    const other = await telephone.newPage();
    other.on('pageerror', (error) => complaints.push(error.message));
    await other.goto(server.address);
    await until('the frame', async () => (await other.locator('.playback').getAttribute('data-frame')) !== null);
    const widths = () => other.evaluate(() => {
      const shown = [...document.querySelectorAll('body *')].filter((part) => part.checkVisibility() && part.closest('.paper-frame') === null);
      return { page: document.documentElement.scrollWidth, beyond: shown.filter((part) => part.getBoundingClientRect().right > 390.5).map((part) => part.outerHTML.slice(0, 100)) };
    });
    const fits = { page: 390, beyond: [] };
    assert.deepEqual(await widths(), fits);
    const cut = await other.locator('.toolbar button').evaluateAll((buttons) => {
      const bottom = document.querySelector('.stage').getBoundingClientRect().bottom;
      return buttons.filter((button) => button.getBoundingClientRect().bottom > bottom).map((button) => button.ariaLabel);
    });
    assert.deepEqual(cut, [], 'all tools are in the picture');
    await other.screenshot({ path: join(folder, 'telephone.png') });
    await other.locator('#tab-1').click();
    assert.deepEqual(await widths(), fits, 'the text');
    await other.getByRole('button', { name: 'Mouse and keys' }).click();
    assert.deepEqual(await widths(), fits, 'the help');
    await other.getByRole('button', { name: 'Close', exact: true }).click();
    await other.getByRole('button', { name: 'Gallery' }).click();
    await other.locator('.card').first().waitFor();
    assert.deepEqual(await widths(), fits, 'the gallery');
    await other.screenshot({ path: join(folder, 'telephone_gallery.png') });
    await telephone.close();
    await page.bringToFront();
    await page.locator('.card').first().waitFor(); // there is one sitting
  },

  async 'what was edited is saved as it was edited, and not taken for the example'() {
    await page.locator('[data-example=jelly_figure]').click();
    await page.locator('.scene-name', { hasText: 'jelly_figure' }).waitFor();
    await waitForFrame(1);
    await pause();
    await page.locator('#tab-1').click();
    const text = page.getByLabel('Text of the scene');
    const original = await text.inputValue();
    const edited = original.replace('{', '// Edited.\n{');
    await text.fill(edited);
    await page.locator('.top-bar').getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Name').fill('edited');
    await page.getByRole('button', { name: 'Save scene' }).click();
    const file = join(folder, 'scenes/edited.json');
    await until('the file', () => existsSync(file));
    assert.match(readFileSync(file, 'utf8'), /\/\/ Edited\.\n\{/);
    execFileSync(phyxel, ['validate', file], { stdio: 'inherit' });
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await text.fill(`${edited}\n`);
    // Something would be lost now, so that it asks; also when the browser goes back.
    const question = page.getByRole('dialog', { name: 'Close this sitting?' });
    await page.getByRole('button', { name: 'Gallery' }).click();
    await question.getByRole('button', { name: 'Stay' }).click();
    await page.goBack();
    await question.waitFor();
    await screenshot('leave');
    await question.getByRole('button', { name: 'Stay' }).click();
    assert.equal(await page.locator('.scene-name').textContent(), 'jelly_figure');
    await page.goBack();
    await question.getByRole('button', { name: 'Close it' }).click();
    await page.locator('.card').first().waitFor();
    // Forward opens it again, as it is and not as it was edited.
    await page.goForward();
    await page.locator('.scene-name', { hasText: 'jelly_figure' }).waitFor();
    await until('the text of the example', async () => (await text.inputValue()) === original);
    await waitForFrame(1);
    await page.locator('#tab-0').click();
    // Nothing was done: Back leads to the gallery at once.
    await page.goBack();
    await page.locator('.card').first().waitFor();
    assert.equal(await question.isVisible(), false);
  },

  async 'what else serves pages on this machine gets neither the token nor a frame'() {
    const heard = [];
    const stranger = createServer((request, response) => {
      heard.push(`${request.url} ${JSON.stringify(request.headers)}`);
      response.setHeader('Content-Type', 'text/html').end('<iframe></iframe>');
    });
    await new Promise((listening) => { stranger.listen(0, '127.0.0.1', listening); });
    const token = new URL(server.address).searchParams.get('token');
    const other = await context.newPage();
    try {
      await other.goto(`http://127.0.0.1:${stranger.address().port}/`);
      assert.ok(heard.length > 0 && heard.every((request) => !request.includes(token)), 'the browser does not give it away');
      // Even one that knew the token could do nothing with it in a browser.
      await other.locator('iframe').evaluate((frame, address) => new Promise((loaded) => { frame.onload = loaded; frame.src = address; }), server.address);
      assert.equal(await other.frames()[1].locator('.card').count(), 0, 'no frame');
      assert.doesNotMatch(other.frames()[1].url(), /^http:/, 'no frame');
      const asked = await other.evaluate((address) => Promise.all([
        fetch(address.replace('/?', '/api/gallery?')).then(() => 'answered', () => 'refused'),
        new Promise((ended) => {
          const socket = new WebSocket(address.replace('http', 'ws').replace('/?', '/ws?'));
          socket.onopen = () => ended('answered');
          socket.onerror = () => ended('refused');
        }),
      ]), server.address);
      assert.deepEqual(asked, ['refused', 'refused']);
    } finally {
      await other.close();
      stranger.close();
    }
  },

  async 'a tab without the token says what is missing'() {
    const other = await context.newPage();
    await other.goto(new URL('/', server.address).href);
    await other.locator('[data-banner=connection]', { hasText: 'does not know this page' }).waitFor();
    await other.close();
  },

  async 'a studio that was started anew has the address that it had'() {
    const { address } = server;
    await page.locator('[data-example=dam_break_2d]').click();
    await waitForFrame(1);
    await server.stop();
    await page.locator('[data-banner=connection]', { hasText: 'The connection is lost' }).waitFor();
    server = await StudioServer.start(phyxel, [join(folder, 'scenes')], folder);
    assert.equal(server.address, address);
    await page.locator('[data-banner=connection]').waitFor({ state: 'detached' });
    await page.locator('[data-banner=reopen]').getByRole('button', { name: 'Open it again' }).click();
    await page.locator('.scene-name', { hasText: 'dam_break_2d' }).waitFor();
    await toGallery();
    // One that knows nothing of it does not know the page either.
    await server.stop();
    await page.locator('[data-banner=connection]', { hasText: 'The connection is lost' }).waitFor();
    server = await StudioServer.start(phyxel, [join(folder, 'scenes'), '--port', new URL(address).port], join(folder, 'scenes'));
    assert.notEqual(server.address, address);
    await page.locator('[data-banner=connection]', { hasText: 'no longer knows this page' }).waitFor();
    await page.goto(server.address);
    await page.locator('.card').first().waitFor();
    complaints.length = 0; // the browser tells of every attempt
  },

  async 'what is saved without a folder is in the gallery'() {
    await server.stop();
    server = await StudioServer.start(phyxel, ['dam_break_2d', '--set', 'spacing="3 cm"', '--threads', '2'], folder);
    await page.goto(server.address);
    await waitForFrame(1);
    await page.locator('.top-bar').getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Name').fill('kept');
    await page.getByRole('button', { name: 'Save scene' }).click();
    await until('the file', () => existsSync(join(folder, 'studio/kept.json')));
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await toGallery();
    await page.locator('[data-path="kept.json"]').click();
    await page.locator('.scene-name', { hasText: 'kept' }).waitFor();
    complaints.length = 0;
  },
};

/// The hash of the state in which `phyxel run` ends, from the log of the run.
function replayedHash(scene, frame, name = 'replay') {
  const out = join(folder, 'scenes', name);
  execFileSync(phyxel, ['run', scene, '-o', out, '--frames', `0:${frame + 1}`, '--quiet'], { stdio: 'inherit' });
  const found = new RegExp(`state at frame ${frame}: ([0-9a-f]{16})`).exec(readFileSync(join(out, 'log.txt'), 'utf8'));
  assert.notEqual(found, null, 'the run has written its hash');
  return found[1];
}

let failed = false;
for (const [name, test] of Object.entries(tests)) {
  const started = Date.now();
  try {
    await within(60, test());
    assert.deepEqual(complaints.splice(0), [], 'the console of the browser is quiet');
    console.log(`passed  ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed = true;
    console.log(`FAILED  ${name}: ${error.stack}`);
    await screenshot('failed').catch(() => undefined);
    break; // the tests build on each other
  }
}
await within(20, browser.close()).catch(() => undefined);
await server.stop();
finish(failed);
