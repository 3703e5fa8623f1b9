import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { SpateError } from '../../../../src/domain/errors.js';
import { globalsView, makeOwnedGlobals } from '../../../../src/domain/globals/owned.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { seededRandom } from '../../../../src/domain/random.js';
import { utc, zoneOf } from '../../../../src/domain/time/zone.js';
import { templatePlugin } from '../../../../src/plugins/events/template/plugin.js';
import type { EventProducer, TemplateSurroundings } from '../../../../src/plugins/kit.js';
import { paramsShape } from '../../../../src/plugins/shapes.js';
import { decode, showPath } from '../../../../src/schema/index.js';
import { fakeClock } from '../../../support/clocks/fakeClock.js';
import { memoryLog } from '../../../support/logs.js';
import { PLAIN_TEMPLATES } from '../../../support/templates/templates.js';

const shape = paramsShape(templatePlugin.spec);

/** 2026-02-28T12:30:00Z */
export const START = Date.UTC(2026, 1, 28, 12, 30) * 1000;

export interface Setting {
  /** By name. */
  readonly files?: Readonly<Record<string, string>>;
  readonly seed?: string | number;
  readonly zone?: string;
  readonly templates?: Partial<TemplateSurroundings>;
  readonly cell?: ReturnType<typeof makeOwnedGlobals>;
}

export const only = (text: string, more: JsonObject = {}) => ({
  params: { mode: 'all', templates: [{ main: { template: 'main.jinja' } }], ...more },
  files: { 'main.jinja': text },
});

/** Decoding errors as `path type`. */
export const refusals = (params: JsonObject): readonly string[] => {
  const decoded = decode(shape, params);
  return E.isRight(decoded) ? [] : decoded.left.map(({ path, message }) => `${showPath(path)} ${message}`);
};

export const buildIn = async (directory: string, params: JsonObject, setting: Setting = {}) => {
  const decoded = decode(shape, params);
  if (E.isLeft(decoded)) throw new Error(JSON.stringify(decoded.left));
  const { log, lines } = memoryLog();
  const cell = setting.cell ?? makeOwnedGlobals('home', {}, 0);
  const random = seededRandom(setting.seed ?? 'test');
  const built = await templatePlugin.build(decoded.right, {
    directory,
    zone: zoneOf(setting.zone ?? 'UTC') ?? utc,
    clock: fakeClock(),
    random,
    log,
    signal: new AbortController().signal,
    templates: { ...PLAIN_TEMPLATES, ...setting.templates },
    params: {},
    globals: globalsView(cell, []),
  });
  return { built, lines, cell, random };
};

/** Runs with the producer in a temporary folder. */
export const withProducer = async <A>(
  params: JsonObject,
  setting: Setting,
  run: (around: {
    readonly producer: EventProducer;
    readonly lines: ReturnType<typeof memoryLog>['lines'];
    readonly cell: ReturnType<typeof makeOwnedGlobals>;
    readonly random: ReturnType<typeof seededRandom>;
    /** Builds another producer from the same files. */
    readonly again: (more?: Setting) => ReturnType<typeof buildIn>;
  }) => A | Promise<A>,
): Promise<A> => {
  const directory = await mkdtemp(join(tmpdir(), 'spate-template-'));
  try {
    for (const [name, text] of Object.entries(setting.files ?? {}))
      await writeFile(join(directory, name), text);
    const { built, ...rest } = await buildIn(directory, params, setting);
    if (E.isLeft(built)) throw new Error(built.left.message);
    try {
      return await run({
        producer: built.right,
        ...rest,
        again: (more) => buildIn(directory, params, { ...setting, ...more }),
      });
    } finally {
      await built.right.close();
    }
  } finally {
    await rm(directory, { recursive: true });
  }
};

export const errorOf = async (params: JsonObject, setting: Setting): Promise<SpateError> => {
  const directory = await mkdtemp(join(tmpdir(), 'spate-template-'));
  try {
    for (const [name, text] of Object.entries(setting.files ?? {}))
      await writeFile(join(directory, name), text);
    const { built } = await buildIn(directory, params, setting);
    if (E.isRight(built)) throw new Error('it was built');
    return built.left;
  } finally {
    await rm(directory, { recursive: true });
  }
};

/** Timestamps one second apart, of one input. */
export const produced = (
  producer: EventProducer,
  count: number,
  { from = 0, tags = [] as readonly string[] } = {},
) => {
  const result = producer.produce({
    micros: Float64Array.from({ length: count }, (_, index) => START + (from + index) * 1_000_000),
    from: 0,
    to: count,
    tagsOf: () => tags,
    isSpent: () => false,
  });
  if (result instanceof Promise) throw new Error('templates never wait');
  const { events, templates: _, ...counts } = result;
  return { ...counts, events: [...events.texts()] };
};

/** Events of some timestamps of a fresh producer. */
export const eventsOf = (
  { params, files }: { readonly params: JsonObject; readonly files: Readonly<Record<string, string>> },
  count = 1,
  setting: Setting = {},
): Promise<readonly string[]> =>
  withProducer(params, { ...setting, files: { ...files, ...setting.files } }, ({ producer, lines }) => {
    const { events, failed } = produced(producer, count);
    if (failed > 0) throw new Error(JSON.stringify(lines));
    return events;
  });
