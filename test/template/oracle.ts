import { join } from 'node:path';
import { hasPython, spawnSync } from '../support/programs.js';
import { ROOT } from '../support/sources.js';

/** One template for both engines. */
export interface OracleCase {
  readonly text: string;
  /** Other templates, by name. */
  readonly files?: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, boolean>>;
}

export type Outcome =
  | { readonly ok: string }
  | { readonly error: string; readonly message: string; readonly line: number | null };

export interface Answer {
  readonly tables: {
    readonly filters: readonly string[];
    readonly tests: readonly string[];
    readonly globals: readonly string[];
    readonly methods: Readonly<Record<string, readonly string[]>>;
    readonly version: string;
  };
  readonly results: readonly Outcome[];
}

/** True where Python has Jinja2 (Debian: python3-jinja2). */
export const hasJinja = hasPython('import jinja2');

/** Renders all cases in one Python process. */
export const askJinja = (cases: readonly OracleCase[]): Answer => {
  const { stdout, stderr, status } = spawnSync('python3', [join(ROOT, 'test', 'template', 'oracle.py')], {
    input: JSON.stringify({ cases }),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, PYTHONIOENCODING: 'utf-8', PYTHONHASHSEED: '0', TZ: 'UTC' },
  });
  if (status !== 0) throw new Error(`the oracle failed: ${stderr}`);
  return JSON.parse(stdout) as Answer;
};
