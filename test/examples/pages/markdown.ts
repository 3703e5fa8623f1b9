import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..', '..');

const LEFT_OUT = new Set(['node_modules', 'dist', '.git', 'out', 'site', 'release']);

const markdownBelow = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : markdownBelow(path);
      return entry.name.endsWith('.md') ? [path] : [];
    }),
  );
  return found.flat();
};

export interface Page {
  /** Path relative to the root of the repository. */
  readonly name: string;
  readonly text: string;
}

/** Every Markdown file of the repository. */
export const readPages = async (): Promise<readonly Page[]> =>
  Promise.all(
    [...(await markdownBelow(ROOT))]
      .sort()
      .map(async (path) => ({ name: relative(ROOT, path), text: await readFile(path, 'utf8') })),
  );

export interface Block {
  /** `docs/cli.md:12`, the line of the opening fence. */
  readonly place: string;
  /** Text after the opening backticks, such as `yaml`. */
  readonly language: string;
  readonly lines: readonly string[];
  /** HTML comments right before the block, first to last. */
  readonly comments: readonly string[];
}

const FENCE = /^ *(`{3,})([^`]*)$/;

const commentsBefore = (lines: readonly string[], end: number): readonly string[] => {
  const comments: string[] = [];
  for (let at = end - 1; at >= 0; at--) {
    const line = (lines[at] ?? '').trim();
    const comment = /^<!-- (.*) -->$/.exec(line);
    if (comment !== null) comments.unshift(comment[1] ?? '');
    else if (line !== '') break;
  }
  return comments;
};

/** The fenced blocks of a page. */
export const blocksOf = ({ name, text }: Page): readonly Block[] => {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, ticks, info] = FENCE.exec(lines[at] ?? '') ?? [];
    if (ticks === undefined) continue;
    const indent = (lines[at] ?? '').indexOf('`');
    const open = at++;
    while (at < lines.length && (lines[at] ?? '').trim() !== ticks) at++;
    blocks.push({
      place: `${name}:${open + 1}`,
      language: (info ?? '').trim(),
      lines: lines.slice(open + 1, at).map((line) => line.slice(Math.min(indent, line.search(/\S|$/)))),
      comments: commentsBefore(lines, open),
    });
  }
  return blocks;
};
