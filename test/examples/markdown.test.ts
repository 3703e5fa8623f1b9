import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { parse } from 'yaml';
import { testFileShape } from '../../src/analysis/expect/format.js';
import { clusterShape } from '../../src/config/cluster.js';
import { incidentShape } from '../../src/config/incidents/shape.js';
import { libraryShape } from '../../src/config/library/shape.js';
import { settingsShape } from '../../src/config/settings/shape.js';
import { startupEntryShape } from '../../src/config/startup/startup.js';
import {
  destinationShape,
  eventShape,
  formatterShape,
  generatorShape,
  inputShape,
  outputShape,
} from '../../src/plugins/generatorShape.js';
import { patternShape } from '../../src/plugins/inputs/time_patterns/pattern.js';
import { worldShape } from '../../src/plugins/inputs/world/worldShape.js';
import { PLUGIN_SPECS } from '../../src/plugins/specs.js';
import { decodeStored, listOf, record, required, showPath } from '../../src/schema/index.js';
import type { AnyShape, Fields } from '../../src/schema/shape.js';
import { blocksOf, readPages } from './pages/markdown.js';

/** Shape of each part of a generator that a block may show alone. */
const PARTS: Readonly<Record<string, AnyShape>> = {
  input: listOf(inputShape, { min: 1 }),
  event: eventShape,
  output: listOf(outputShape, { min: 1 }),
  formatter: formatterShape,
};

const startupList = listOf(startupEntryShape);

/** Sections of the settings, of which a block may leave out any. */
const sections = settingsShape.fields ?? {};

const generatorFields = generatorShape.fields ?? {};

const shapeOf = (keys: readonly string[]): AnyShape | null => {
  if (keys.every((key) => Object.hasOwn(sections, key)))
    return record(Object.fromEntries(keys.map((key) => [key, sections[key] as Fields[string]])));
  if (['summary', 'category'].every((key) => keys.includes(key))) return libraryShape;
  if (keys.includes('nats')) return clusterShape;
  if (keys.includes('phases')) return incidentShape;
  if (keys.includes('checks')) return testFileShape;
  if (keys.includes('people')) return worldShape;
  if (keys.includes('oscillator')) return patternShape;
  if (['input', 'event', 'output'].every((key) => keys.includes(key))) return generatorShape;
  if (keys.every((key) => Object.hasOwn(PLUGIN_SPECS.output, key))) return destinationShape;
  if (keys.every((key) => key === 'knobs'))
    return record({ knobs: generatorFields['knobs'] as Fields[string] });
  const parts = keys.map((key) => [key, PARTS[key]] as const);
  if (parts.some(([, shape]) => shape === undefined)) return null;
  return record(
    Object.fromEntries(parts.map(([key, shape]) => [key, required(shape as AnyShape, { help: key })])),
  );
};

const blocks = (await readPages())
  .flatMap(blocksOf)
  .filter(({ language }) => language === 'yaml')
  .map(({ place, lines }) => [place, lines.join('\n')] as const);

describe('YAML in Markdown', () => {
  test('there is some', () => {
    expect(blocks.length).toBeGreaterThan(10);
  });

  test.each(blocks)('%s is valid', (_place, text) => {
    const value: unknown = parse(text);
    const shape = Array.isArray(value) ? startupList : shapeOf(Object.keys(value as object));
    expect(shape).not.toBeNull();
    const decoded = decodeStored(shape as AnyShape, value);
    const problems = E.isLeft(decoded)
      ? decoded.left.map(({ path, message }) => `${showPath(path)} ${message}`)
      : [];
    expect(problems).toEqual([]);
  });
});
