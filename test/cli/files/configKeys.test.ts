import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { configKeys } from '../../../src/cli/files/configKeys.js';
import { execFileSync } from '../../support/programs.js';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'spate-keys-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CONFIG = `input:
  - cron: {expression: '* * * * *', count: 1}
event: {template : {mode: all}}
output: [{file: {path: out.log, formatter: {format: json-batch}}}]
`;

const written = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

describe('the guess at what a config uses', () => {
  test('names what stands before a colon, each once, however the path is given', () => {
    const path = written('generator.yml', CONFIG);
    const keys = configKeys(['node', 'spate', 'generate', '--path', path]);
    expect(keys).toEqual(expect.arrayContaining(['input', 'cron', 'event', 'template', 'file', 'formatter']));
    expect(new Set(keys).size).toBe(keys.length);
    for (const args of [[`--path=${path}`], [path, '--limit', '1'], [folder]])
      expect(configKeys(['node', 'spate', 'generate', ...args])).toEqual(keys);
  });

  test('is empty without a file that can be read twice and is small', () => {
    expect(configKeys(['node', 'spate', 'generate'])).toEqual([]);
    expect(configKeys(['node', 'spate', 'generate', '--path'])).toEqual([]);
    expect(configKeys(['node', 'spate', 'generate', '--path', tmpdir()])).toEqual([]);
    expect(configKeys(['node', 'spate', 'generate', '--limit', '5'])).toEqual([]);
    expect(configKeys(['node', 'spate', 'generate', '--path', join(folder, 'missing.yml')])).toEqual([]);
    const large = written('large.yml', `${CONFIG}# ${'x'.repeat(70_000)}\n`);
    expect(configKeys(['node', 'spate', 'generate', '--path', large])).toEqual([]);
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(configKeys(['node', 'spate', 'generate', '--path', pipe])).toEqual([]);
  });
});
