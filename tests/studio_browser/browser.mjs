// SPDX-License-Identifier: MIT
// What the tests of the studio in a real browser share. They are run as: node SOME_test.mjs PHYXEL SOURCE FOLDER. PHYXEL is the
// command, SOURCE the source tree, FOLDER takes screenshots and what is saved.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const [phyxel, source, folder] = process.argv.slice(2).map((path) => resolve(path));
export { folder, phyxel, source };

/// How much longer than usual everything may take, on a machine that has other work to do.
export const patience = Number(process.env.PHYXEL_PATIENCE ?? 1);

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

/// Empties the folder and starts Chromium. Ends with 77 (skipped) where there is none, or no page.
export async function launchBrowser() {
  const web = join(source, 'apps/studio/web');
  const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
  if (program === undefined) skip('there is no Chromium');
  if (!existsSync(join(web, 'dist/index.html'))) skip('the page is not built; "./dev test studio" builds it');
  if (!existsSync(join(web, 'node_modules/playwright-core'))) skip('playwright-core is not installed; "./dev test studio" does it');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'scenes'), { recursive: true });
  const { chromium } = createRequire(join(web, 'package.json'))('playwright-core');
  return chromium.launch({
    executablePath: program,
    args: [
      '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
      ...(process.getuid() === 0 ? ['--no-sandbox'] : []),
    ],
  });
}

/// A list that gets whatever a page complains of.
export function complaintsOf(page, complaints = []) {
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => { if (message.type() === 'error') complaints.push(message.text()); });
  return complaints;
}

/// What the condition returns, as soon as that is something.
export async function until(what, condition, seconds = 20) {
  const end = Date.now() + 1000 * patience * seconds;
  while (Date.now() < end) {
    const found = await condition();
    if (found) return found;
    await new Promise((resume) => { setTimeout(resume, 50); });
  }
  throw new Error(`waited ${patience * seconds} s in vain: ${what}`);
}

/// Playwright waits for a page for ever when it asks it to compute something.
export function within(seconds, work) {
  let timer;
  const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error(`not done after ${patience * seconds} s`)), 1000 * patience * seconds); });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/// Presses the button until the simulation stands still. It may come to its end by itself just before the click, which then is
/// one on "Play"; and a frame that was being computed may come after it. `clicks`: it was not asked to pause yet.
export async function pause(page, clicks = true, seconds = 20) {
  const button = page.locator('.playback [data-playing]');
  const frame = () => page.locator('.playback').getAttribute('data-frame');
  await until('it stands still', async () => {
    const before = await frame();
    const stands = (await button.getAttribute('data-playing')) === 'false';
    if (!stands && clicks) await button.click();
    await page.waitForTimeout(300);
    return stands && (await frame()) === before;
  }, seconds);
}

/// Ends the process. What failed is tried once more from the beginning, and both are told.
export function finish(failed) {
  if (failed && process.env.PHYXEL_SECOND_TRY === undefined) {
    console.log('The second try:');
    const again = spawnSync(process.execPath, [process.argv[1], phyxel, source, join(folder, 'second_try')], {
      env: { ...process.env, PHYXEL_SECOND_TRY: '1' }, stdio: 'inherit',
    });
    process.exit(again.status === 0 ? 0 : 1);
  }
  process.exit(failed ? 1 : 0);
}
