// SPDX-License-Identifier: MIT
// The WebSocket: connects, comes back by itself after it was lost, waiting longer each time, and says how it stands.
import { BadMessage } from './checked';
import { decodeFrame, type Frame } from './frame_decoder';
import { longestMessage, readServerMessage, type ClientMessage, type ServerMessage } from './protocol';

export type ConnectionState =
  | { kind: 'connecting' }
  | { kind: 'open' }
  | { kind: 'waiting'; seconds: number } ///< until the next attempt
  | { kind: 'refused' }; ///< the server is there, but does not know our token

interface Handlers {
  onState(state: ConnectionState): void;
  onMessage(message: ServerMessage): void;
  onFrame(frame: Frame): void;
  onRubbish(reason: string): void; ///< something arrived that is no message of ours
}

const firstDelay = 0.5; // [s]
const longestDelay = 10;

export class Connection {
  private socket: WebSocket | null = null;
  private delay = firstDelay;
  private timer = 0;

  constructor(private readonly token: string | null, private readonly handlers: Handlers) {
    // A laptop that wakes up, or a network that is back, need not wait for the end of the delay.
    window.addEventListener('online', () => this.retry());
    this.connect();
  }

  /// Nothing is kept for later. Returns why the message was dropped, as when the connection is lost; null if it was not.
  send(message: ClientMessage): string | null {
    if (this.socket?.readyState !== WebSocket.OPEN) return 'the connection is lost';
    const json = JSON.stringify(message);
    // The server would end the connection. No character has more than three bytes for each of its 16 bits.
    if (3 * json.length > longestMessage && new TextEncoder().encode(json).length > longestMessage)
      return 'this is too long for the studio; “phyxel run” takes it';
    this.socket.send(json);
    return null;
  }

  /// Tries again at once.
  retry(): void {
    if (this.socket !== null) return;
    window.clearTimeout(this.timer);
    this.connect();
  }

  get hasToken(): boolean {
    return this.token !== null;
  }

  /// The address of something on the server, with the token where we have one.
  address(path: string): string {
    return this.token === null ? path : `${path}?token=${encodeURIComponent(this.token)}`;
  }

  private connect(): void {
    if (this.socket !== null) return;
    this.handlers.onState({ kind: 'connecting' });
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}${this.address('/ws')}`);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      this.delay = firstDelay;
      this.handlers.onState({ kind: 'open' });
    };
    socket.onmessage = (event: MessageEvent<unknown>) => this.receive(event.data);
    socket.onclose = () => {
      this.socket = null;
      void this.lost();
    };
    this.socket = socket;
  }

  private receive(data: unknown): void {
    try {
      if (data instanceof ArrayBuffer) {
        this.receiveFrame(data);
      } else if (typeof data === 'string') {
        const message = readServerMessage(data);
        if (message !== null) this.handlers.onMessage(message);
      }
    } catch (error) {
      if (!(error instanceof BadMessage)) throw error;
      this.handlers.onRubbish(error.message);
    }
  }

  private receiveFrame(data: ArrayBuffer): void {
    const frame = decodeFrame(data);
    this.send({ type: 'ack', frame: frame.serial });
    this.handlers.onFrame(frame);
  }

  private async lost(): Promise<void> {
    const isRefused = await this.isRefused();
    if (this.socket !== null) return; // somebody was in a hurry, and it is there again or about to be
    if (isRefused) this.handlers.onState({ kind: 'refused' });
    else this.handlers.onState({ kind: 'waiting', seconds: this.delay });
    this.timer = window.setTimeout(() => this.connect(), 1000 * this.delay);
    this.delay = Math.min(2 * this.delay, longestDelay);
  }

  /// A socket does not say why it was closed; an ordinary request does.
  private async isRefused(): Promise<boolean> {
    try {
      const response = await fetch(this.address('/api/gallery'), { cache: 'no-store', signal: AbortSignal.timeout(3000) });
      return response.status === 401 || response.status === 403;
    } catch {
      return false;
    }
  }
}
