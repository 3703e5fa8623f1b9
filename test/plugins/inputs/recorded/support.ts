import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from '@jest/globals';
import { recordedPlugin } from '../../../../src/plugins/inputs/recorded/plugin.js';
import type { Input } from '../../../../src/plugins/kit.js';
import { buildInput } from '../../../support/pipelines/inputs.js';

/** Folder of recordings; removed after the tests of the file. */
export const directory = mkdtempSync(join(tmpdir(), 'spate-recorded-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

let folders = 0;

/** Files in a folder of their own; returns its name. */
export const recording = (files: Readonly<Record<string, string | Buffer>>): string => {
  const folder = `r${++folders}`;
  for (const [name, content] of Object.entries(files)) {
    const path = join(directory, folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return folder;
};

/** Parameters for lines that begin with an ISO 8601 time. */
export const ISO = {
  timestamp_pattern: String.raw`^(?P<timestamp>\S+)`,
  timestamp_format: 'iso8601',
};

export const START = Date.parse('2026-03-01T12:00:00Z') * 1000;

/** Microseconds after a base as an ISO time with all digits. */
export const isoAt = (micros: number, base = Date.parse('2020-05-05T10:00:00Z') * 1000): string => {
  const at = base + micros;
  const whole = Math.floor(at / 1_000_000);
  return `${new Date(whole * 1000).toISOString().slice(0, 19)}.${String(at - whole * 1_000_000).padStart(6, '0')}Z`;
};

/** The input, or its problem. */
export const build = (params: object, more: Parameters<typeof buildInput>[2] = {}): Promise<Input | string> =>
  buildInput(recordedPlugin, { ...ISO, start: '2026-03-01T12:00:00Z', ...params }, { directory, ...more });

export const inputOf = async (
  params: object,
  more: Parameters<typeof buildInput>[2] = {},
): Promise<Input> => {
  const built = await build(params, more);
  if (typeof built === 'string') throw new Error(built);
  return built;
};

/** Timestamps in microseconds after `START`. */
export const offsetsOf = (input: Input, most = 10_000, step = 7): readonly number[] => {
  const out = new Float64Array(step);
  const all: number[] = [];
  for (let count = input.fill(out); count > 0 && all.length < most; count = input.fill(out)) {
    for (const micros of out.subarray(0, count)) all.push(micros - START);
  }
  return all.slice(0, most);
};
