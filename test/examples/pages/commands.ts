import type { Variance } from './compare.js';
import type { Block } from './markdown.js';

/** A line after `$ ` and what the page shows below it. */
export interface Command extends Variance {
  readonly place: string;
  readonly line: string;
  readonly output: string[];
  readonly exitCode: number;
  /** The daemon of the page is stopped before. */
  readonly isAfterDaemon: boolean;
  /** Runs until the output is there, then gets SIGINT. */
  readonly isInterrupted: boolean;
}

/** A file that the page shows. */
export interface ShownFile {
  readonly path: string;
  readonly text: string;
}

export type Step = Command | ShownFile;

const NOT_RUN = 'not run: ';
const FILE = 'file: ';
const EXITS = 'exits with ';

const commentOf = ({ comments }: Block, prefix: string): string | null =>
  comments.find((comment) => comment.startsWith(prefix))?.slice(prefix.length) ?? null;

/** Why the commands of a block are not run; `null` when they are. */
export const reasonNotRun = (block: Block): string | null => commentOf(block, NOT_RUN);

/** Whether the next line belongs to the command: a backslash, an open quote or an open here-document. */
const goesOn = (command: string): boolean => {
  const [, end] = /<<-?\s*['"]?(\w+)['"]?/.exec(command) ?? [];
  if (end !== undefined) return command.split('\n').at(-1) !== end;
  const quotes = command.replace(/\s#\s.*$/gm, '').match(/'/g) ?? [];
  return command.endsWith('\\') || quotes.length % 2 === 1;
};

/** The commands of a block; lines before the first one are more output of `last`, the command before the block. */
const commandsOf = (block: Block, last: Command | undefined): readonly Command[] => {
  const begin = block.lines.findIndex((line) => line.startsWith('$ '));
  const rest = block.lines.slice(0, begin === -1 ? undefined : begin);
  if (rest.length > 0 && last === undefined) throw new Error(`${block.place} has output without a command`);
  last?.output.push(...rest);
  const found: { line: string; output: string[] }[] = [];
  for (const text of begin === -1 ? [] : block.lines.slice(begin)) {
    const current = found.at(-1);
    if (current !== undefined && current.output.length === 0 && goesOn(current.line))
      current.line += `\n${text}`;
    else if (text.startsWith('$ ')) found.push({ line: text.slice(2), output: [] });
    else current?.output.push(text);
  }
  return found.map(({ line, output }, i) => {
    const isLast = i === found.length - 1;
    return {
      place: block.place,
      line,
      output,
      exitCode: isLast ? Number(commentOf(block, EXITS) ?? 0) : 0,
      isAfterDaemon: block.comments.includes('daemon stopped'),
      isInterrupted: isLast && block.comments.includes('until Ctrl-C'),
      hasFixedClock: line.includes('--now '),
      hasVaryingNumbers: block.comments.includes('numbers vary'),
    };
  });
};

export const isCommand = (step: Step): step is Command => 'line' in step;

/** What a reader does who follows the blocks: files to write and commands to run, in order. */
export const stepsOf = (blocks: readonly Block[]): readonly Step[] => {
  const steps: Step[] = [];
  for (const block of blocks) {
    const path = commentOf(block, FILE);
    if (path !== null) steps.push({ path, text: `${block.lines.join('\n')}\n` });
    else if (block.language === 'console' && reasonNotRun(block) === null) {
      steps.push(...commandsOf(block, steps.filter(isCommand).at(-1)));
    }
  }
  return steps;
};
