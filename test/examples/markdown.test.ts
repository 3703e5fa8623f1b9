import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { parse } from 'yaml';
import { settingsShape } from '../../src/config/settings/shape.js';
import {
  eventShape,
  formatterShape,
  generatorShape,
  inputShape,
  outputShape,
} from '../../src/plugins/generatorShape.js';
import { decodeStored, listOf, record, required, showPath } from '../../src/schema/index.js';
import type { AnyShape, Fields } from '../../src/schema/shape.js';

const ROOT = join(import.meta.dirname, '..', '..');
const LEFT_OUT = new Set(['node_modules', 'dist', '.git', 'out']);

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

/** Shape of each part of a generator that a block may show alone. */
const PARTS: Readonly<Record<string, AnyShape>> = {
  input: listOf(inputShape, { min: 1 }),
  event: eventShape,
  output: listOf(outputShape, { min: 1 }),
  formatter: formatterShape,
};

/** Sections of the settings, of which a block may leave out any. */
const sections = settingsShape.fields ?? {};

const shapeOf = (keys: readonly string[]): AnyShape | null => {
  if (keys.every((key) => Object.hasOwn(sections, key)))
    return record(Object.fromEntries(keys.map((key) => [key, sections[key] as Fields[string]])));
  if (['input', 'event', 'output'].every((key) => keys.includes(key))) return generatorShape;
  const parts = keys.map((key) => [key, PARTS[key]] as const);
  if (parts.some(([, shape]) => shape === undefined)) return null;
  return record(
    Object.fromEntries(parts.map(([key, shape]) => [key, required(shape as AnyShape, { help: key })])),
  );
};

const blocks: (readonly [string, string])[] = [];
for (const file of await markdownBelow(ROOT)) {
  const text = await readFile(file, 'utf8');
  for (const match of text.matchAll(/^```yaml\n(.*?)^```/gms)) {
    const line = text.slice(0, match.index).split('\n').length;
    blocks.push([`${relative(ROOT, file)}:${line}`, match[1] ?? '']);
  }
}

describe('YAML in Markdown', () => {
  test('there is some', () => {
    expect(blocks.length).toBeGreaterThan(10);
  });

  test.each(blocks)('%s is valid', (_place, text) => {
    const value = parse(text) as Record<string, unknown>;
    const shape = shapeOf(Object.keys(value));
    expect(shape).not.toBeNull();
    const decoded = decodeStored(shape as AnyShape, value);
    const problems = E.isLeft(decoded)
      ? decoded.left.map(({ path, message }) => `${showPath(path)} ${message}`)
      : [];
    expect(problems).toEqual([]);
  });
});
