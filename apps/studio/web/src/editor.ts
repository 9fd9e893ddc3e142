// SPDX-License-Identifier: MIT
// The scene as text, with what is wrong with it shown where it is wrong, as one types. Coloured text lies under a textarea
// whose own text is invisible, so that caret, selection, undo and screen readers are the browser's.
import { download, element, textButton } from './dom';
import { endOfWord, pieces } from './json_text';
import type { Problem, Problems, SceneMessage } from './protocol';

interface Wishes { validate(id: number, text: string): void; run(text: string, name: string): void }

const draftKey = 'phyxel.draft';
const quietTime = 300; // [ms] after the last key, before the text is checked
const mostLines = 4000; // beyond that, text stays without colours

export class SceneEditor {
  readonly element = element('section', { class: 'editor', 'aria-label': 'Scene' });
  private readonly area = element('textarea', { spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', wrap: 'off', 'aria-label': 'Text of the scene' });
  private readonly backdrop = element('pre', { class: 'backdrop', 'aria-hidden': 'true' });
  private readonly numbers = element('pre', { class: 'line-numbers', 'aria-hidden': 'true' });
  private readonly verdict = element('p', { class: 'verdict', role: 'status' });
  private readonly list = element('ol', { class: 'problems', 'aria-label': 'Problems' });
  private readonly runButton: HTMLButtonElement;
  private problems: readonly Problem[] = [];
  private name = 'scene';
  private original = '';
  private saved: string | null = null;
  private asked = 0;
  private timer = 0;

  constructor(private readonly wishes: Wishes) {
    this.runButton = textButton('Run', () => this.run(), 'primary');
    this.runButton.title = 'Run this text (Ctrl+Enter)';
    const paper = element('div', { class: 'paper' }, this.backdrop, this.area);
    this.element.append(
      element('div', { class: 'paper-frame' }, this.numbers, paper),
      this.list,
      element('div', { class: 'editor-foot' }, this.verdict, textButton('Revert', () => this.revert()), textButton('Download', () => download(`${this.name}.json`, new Blob([this.area.value], { type: 'application/json' }))), this.runButton),
    );
    this.area.addEventListener('input', () => this.edited());
    this.area.addEventListener('scroll', () => this.followScroll());
    this.area.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        this.run();
      }
    });
  }

  /// What was edited and neither run nor saved; null if nothing was.
  get draft(): string | null { return this.area.value === this.original || this.area.value === this.saved ? null : this.area.value; }

  /// The present text is in a file now.
  noteSaved(): void { this.saved = this.area.value; }

  /// Something else is opened: what was edited in the last sitting does not belong to it, even if it has the same name.
  forgetDraft(): void {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(`${draftKey}.`)) sessionStorage.removeItem(key);
  }

  /// A new sitting. Text that was being edited before a reload or a restart comes back.
  reset(scene: SceneMessage | null): void {
    if (scene === null) return;
    this.name = scene.name;
    this.original = scene.text;
    this.saved = null;
    this.area.value = this.draftOf(scene) ?? scene.text;
    if (this.area.value === scene.text) this.forgetDraft();
    this.problems = [];
    this.list.replaceChildren();
    this.forgetVerdict();
    this.render();
    if (this.area.value !== '') this.check();
    else this.verdict.textContent = scene.kind === 'live' ? 'Too long to be edited here' : '';
  }

  show(answer: Problems): void {
    if (answer.id !== this.asked) return; // about a text that has changed since
    this.problems = answer.problems;
    const { length } = answer.problems;
    this.verdict.textContent = length === 0 ? (answer.warnings.length === 0 ? 'No problems' : `No problems, ${answer.warnings.length} to note`)
      : length === 1 ? '1 problem' : `${length} problems`;
    this.verdict.classList.toggle('bad', length > 0);
    this.runButton.disabled = length > 0;
    this.list.replaceChildren(
      ...answer.problems.map((problem) => {
        const where = problem.line > 0 ? [textButton(`${problem.line}:${problem.column}`, () => this.goTo(problem), 'link'), ' '] : [];
        return element('li', {}, ...where, `${problem.path === '' ? '' : `${problem.path}: `}${problem.message}`);
      }),
      ...answer.warnings.map((warning) => element('li', { class: 'warning' }, warning)),
    );
    this.render();
  }

  private forgetVerdict(): void {
    this.verdict.textContent = 'Checking …';
    this.verdict.classList.remove('bad');
    this.runButton.disabled = this.area.value === '';
  }

  private run(): void { if (!this.runButton.disabled) this.wishes.run(this.area.value, this.name); }

  /// As if it was typed, so that the browser can undo it.
  private revert(): void {
    this.area.focus();
    this.area.select();
    if (this.original !== '' && document.execCommand('insertText', false, this.original)) return;
    this.area.value = this.original;
    this.edited();
  }

  private edited(): void {
    // What was said may no longer hold. It stays until the answer to the new text is there, so that nothing jumps; but who
    // has corrected the text may run it at once.
    this.forgetVerdict();
    this.render();
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.check(), quietTime);
    try {
      sessionStorage.setItem(`${draftKey}.${this.name}`, JSON.stringify({ original: this.original, text: this.area.value }));
    } catch {
      // Too large to keep: then a reload loses it.
    }
  }

  private check(): void { this.wishes.validate((this.asked += 1), this.area.value); }

  private draftOf(scene: SceneMessage): string | null {
    try {
      const draft = JSON.parse(sessionStorage.getItem(`${draftKey}.${scene.name}`) ?? 'null') as { original?: unknown; text?: unknown } | null;
      return draft !== null && draft.original === scene.text && typeof draft.text === 'string' ? draft.text : null;
    } catch {
      return null;
    }
  }

  private goTo(problem: Problem): void {
    const lines = this.area.value.split('\n');
    const begin = lines.slice(0, problem.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
    const line = lines[problem.line - 1] ?? '';
    this.area.focus();
    this.area.setSelectionRange(begin + problem.column - 1, begin + endOfWord(line, problem.column - 1));
    const height = parseFloat(getComputedStyle(this.area).lineHeight);
    this.area.scrollTop = (problem.line - 1) * height - this.area.clientHeight / 2;
    // In a fixed pitch, as wide as the longest line is long.
    const width = this.area.scrollWidth / Math.max(1, ...lines.map((text) => text.length));
    this.area.scrollLeft = (problem.column - 1) * width - this.area.clientWidth / 2;
  }

  private render(): void {
    const lines = this.area.value.split('\n');
    const byLine = new Map<number, Problem[]>();
    for (const problem of this.problems) byLine.set(problem.line, [...(byLine.get(problem.line) ?? []), problem]);
    if (lines.length > mostLines) this.backdrop.textContent = this.area.value;
    else this.backdrop.replaceChildren(...lines.map((line, i) => renderLine(line, byLine.get(i + 1) ?? [])));
    this.numbers.replaceChildren(...lines.map((_, i) => element('span', byLine.has(i + 1) ? { class: 'wrong' } : {}, `${i + 1}\n`)));
    this.followScroll();
  }

  private followScroll(): void {
    this.backdrop.style.transform = `translate(${-this.area.scrollLeft}px, ${-this.area.scrollTop}px)`;
    this.numbers.style.transform = `translateY(${-this.area.scrollTop}px)`;
  }
}

/// A line in its colours, with the wrong words underlined and what is wrong about them written behind.
function renderLine(line: string, problems: readonly Problem[]): HTMLElement {
  const made = element('span', { class: 'line' });
  const wrong = problems.map(({ column }) => ({ begin: column - 1, end: endOfWord(line, column - 1) }));
  for (const piece of pieces(line)) {
    const cuts = [piece.begin, piece.end, ...wrong.flatMap(({ begin, end }) => [begin, end])]
      .filter((cut) => cut >= piece.begin && cut <= piece.end).sort((a, b) => a - b);
    for (let i = 0; i + 1 < cuts.length; ++i) {
      const [begin = 0, end = 0] = [cuts[i], cuts[i + 1]];
      if (begin === end) continue;
      const isWrong = wrong.some((mark) => begin >= mark.begin && end <= mark.end);
      made.append(element('span', { class: `${piece.kind}${isWrong ? ' wrong' : ''}` }, line.slice(begin, end)));
    }
  }
  // An error behind the end of the line, such as something missing.
  if (wrong.some(({ begin }) => begin >= line.length)) made.append(element('span', { class: 'wrong' }, ' '));
  if (problems.length > 0) made.append(element('span', { class: 'remark' }, `   ${problems.map(({ message }) => message.split('\n')[0]).join('; ')}`));
  made.append('\n');
  return made;
}
