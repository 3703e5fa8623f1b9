import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { timePatternsPlugin } from '../../../../src/plugins/inputs/time_patterns/plugin.js';
import type { Input } from '../../../../src/plugins/kit.js';
import { buildInput } from '../../../support/pipelines/inputs.js';

/** Changes of a pattern, by dotted key. */
export type Changes = Readonly<Record<string, unknown>>;

export const patternText = (changes: Changes = {}): string => {
  const pattern: Record<string, unknown> = {
    label: 'test',
    'oscillator.period': 1,
    'oscillator.unit': 'minutes',
    'oscillator.start': '2026-11-20T20:00:00Z',
    'oscillator.end': '+10m',
    'multiplier.ratio': 100,
    'randomizer.deviation': 0,
    'randomizer.direction': 'mixed',
    'spreader.distribution': 'uniform',
    'spreader.parameters': { low: 0, high: 1 },
    ...changes,
  };
  return stringify(Object.fromEntries(Object.entries(pattern).filter(([, value]) => value !== undefined)));
};

export const writePattern = (folder: string, name: string, changes: Changes = {}): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), patternText(changes));
};

/** The input of the patterns, or its problem. */
export const build = (
  folder: string,
  patterns: readonly string[],
  more: Parameters<typeof buildInput>[2] = {},
): Promise<Input | string> => buildInput(timePatternsPlugin, { patterns }, { directory: folder, ...more });
