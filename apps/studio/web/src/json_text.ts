// SPDX-License-Identifier: MIT
// Pieces of a line of a scene file, for colouring: JSON with comments.

export interface Piece { begin: number; end: number; kind: 'key' | 'text' | 'number' | 'word' | 'comment' | 'plain' }

const pattern = /(\/\/.*$|\/\*.*?(?:\*\/|$))|("(?:[^"\\]|\\.)*"?)(\s*:)?|([+-]?\d[\w.+-]*)|(true|false|null)\b/g;

export function pieces(line: string): Piece[] {
  const found: Piece[] = [];
  let at = 0;
  const plain = (end: number) => { if (end > at) found.push({ begin: at, end, kind: 'plain' }); };
  for (const match of line.matchAll(pattern)) {
    plain(match.index);
    const [whole, comment, text, colon, number] = match;
    const kind = comment !== undefined ? 'comment' : text !== undefined ? (colon !== undefined ? 'key' : 'text') : number !== undefined ? 'number' : 'word';
    at = match.index + (text !== undefined ? text.length : whole.length);
    found.push({ begin: match.index, end: at, kind });
    plain(match.index + whole.length);
    at = match.index + whole.length;
  }
  plain(line.length);
  return found;
}

/// Where the word, string or sign at a column ends: what an error there is about.
export function endOfWord(line: string, begin: number): number {
  const word = /"(?:[^"\\]|\\.)*"?|[\w.+-]+|./y;
  word.lastIndex = begin;
  return begin + (word.exec(line)?.[0].length ?? 1);
}
