// SPDX-License-Identifier: MIT
// Starts `phyxel studio` and ends it again.
import { spawn } from 'node:child_process';

export class StudioServer {
  /// `options` are those of the command; resolves when it has printed its address. `folder` takes what it remembers from one
  /// start to the next, and is where it is started.
  static async start(phyxel, options, folder) {
    const child = spawn(phyxel, ['studio', ...options], { stdio: ['ignore', 'pipe', 'pipe'], cwd: folder, env: { ...process.env, XDG_STATE_HOME: folder } });
    let output = '';
    const address = await new Promise((resolve, reject) => {
      const read = (chunk) => {
        output += chunk;
        const found = /studio: (http:\S+)/.exec(output);
        if (found !== null) resolve(found[1]);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.on('exit', (code) => reject(new Error(`phyxel studio ended with ${code}: ${output}`)));
    });
    return new StudioServer(child, address);
  }

  constructor(child, address) {
    this.child = child;
    this.address = address;
  }

  async stop() {
    if (this.child.exitCode !== null) return;
    const ended = new Promise((resolve) => this.child.on('exit', resolve));
    this.child.kill('SIGINT');
    await ended;
  }
}
