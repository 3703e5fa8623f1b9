import { dirname, join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import { countText, fitted, showShare, visible } from '../../../analysis/inspect/show.js';
import { eventTable } from '../../../analysis/inspect/tells/table.js';
import {
  type AttackReport,
  findTells,
  MAX_TELL_SHARE,
  MAX_TREE_ACCURACY,
  MIN_EVENTS,
  type TellsReport,
} from '../../../analysis/inspect/tells/tells.js';
import { MAX_CONFIG_BYTES } from '../../../config/generator/config.js';
import { readLibraryText } from '../../../config/library/pack.js';
import type { LibraryDocument } from '../../../config/library/shape.js';
import type { Result } from '../../../domain/errors.js';
import type { JsonObject } from '../../../domain/json.js';
import { LIBRARY_FILE } from '../../../domain/library.js';
import { plural } from '../../../domain/text/shown.js';
import { parseIso } from '../../../domain/time/iso.js';
import type { Micros } from '../../../domain/time/micros.js';
import { utc, zoneOf } from '../../../domain/time/zone.js';
import type { CommandContext, Given } from '../../arguments/command.js';
import { configFileOf, paramsOf } from '../../arguments/sharedOptions.js';
import { globalsFor } from '../../files/globals.js';
import { keyringAccessOf } from '../../files/keyring.js';
import { reportError, usageError } from '../../report.js';
import { EXIT, widthOfOutput } from '../../terminal/io.js';
import { DEFAULT_COMPARED, DEFAULT_LABEL, MAX_COMPARED } from '../limits.js';
import type { inspectOptions } from './inspect.js';

type Values = Given<typeof inspectOptions>['options'];

/** The global that switches the attacks of a ready-made generator. */
const ANOMALY = 'anomaly';
/** Fewest columns. */
const MIN_WIDTH = 60;
/** Marks that the text names; JSON has all. */
const MAX_TOLD = 5;

/** A run of the generator, with one attack switched on where it is ready-made. */
interface Run extends TellsReport {
  /** Null where the globals are as given. */
  readonly anomaly: string | null;
  readonly indicators: readonly string[];
  readonly failed: number;
}

const libraryBeside = async (file: string): Promise<Result<LibraryDocument | null>> => {
  const path = join(dirname(file), LIBRARY_FILE);
  const text = await nodeFiles.readText(path, MAX_CONFIG_BYTES);
  if (E.isLeft(text)) return text.left.code === 'not_found' ? E.right(null) : text;
  return readLibraryText({ text: text.right, file: path });
};

/** Resolves to the exit code of `spate inspect --tells`. */
export const runTells = async (
  { options: values, positionals: [path = ''] }: Given<typeof inspectOptions>,
  { io, services }: CommandContext,
): Promise<number> => {
  const events = values.events ?? DEFAULT_COMPARED;
  if (events > MAX_COMPARED)
    return usageError(io, 'inspect', `--tells takes --events up to ${countText(MAX_COMPARED)}`);
  if (values.html !== undefined) return usageError(io, 'inspect', '--tells writes no page: leave --html out');
  const file = await configFileOf(path, io.cwd);
  const params = paramsOf(values, file);
  if (E.isLeft(params)) return reportError(io, params.left);
  const zone = zoneOf(params.right.timezone) ?? utc;
  const now = values.now === undefined ? services.clock.now() : parseIso(values.now, zone);
  if (now === null) return usageError(io, 'inspect', `--now must be an ISO 8601 time, not "${values.now}"`);
  const engine = await services.sample();
  const globals = await globalsFor(values.globals, file, { io, engine });
  if (E.isLeft(globals)) return usageError(io, 'inspect', globals.left);
  const library = await libraryBeside(file);
  if (E.isLeft(library)) return reportError(io, library.left);

  const runOf = async (anomaly: string | null): Promise<Result<Run>> => {
    const sampled = await engine.sampleEvents({
      params: params.right,
      keyring: keyringAccessOf(values['keyring-cryptfile'], io),
      globals: anomaly === null ? globals.right : { ...globals.right, [ANOMALY]: anomaly },
      now,
      events,
      output: values.output ?? 1,
      allow_subprocess: false,
    });
    if (E.isLeft(sampled)) return sampled;
    const { batches, joins } = sampled.right;
    const table = eventTable();
    let failed = 0;
    for await (const { micros, events: produced, formatted, origins, failures } of batches) {
      failed += failures.length;
      // A formatter that joins events hides which text is whose.
      const texts = joins ? produced : formatted;
      for (const [index, text] of texts.entries())
        table.add(micros[joins ? index : (origins[index] as number)] as Micros, text);
    }
    const indicators = [
      ...(values.indicator ?? []),
      ...(anomaly === null ? [] : (library.right?.indicators[anomaly] ?? [])),
    ];
    const report = findTells(table.table(), { label: values.label ?? DEFAULT_LABEL, indicators });
    return E.right({ ...report, anomaly, indicators, failed });
  };

  const isGiven = Object.hasOwn(globals.right, ANOMALY);
  const names = isGiven ? [] : Object.keys(library.right?.anomalies ?? {});
  const runs: Run[] = [];
  for (const anomaly of names.length === 0 ? [null] : names) {
    const run = await runOf(anomaly);
    if (E.isLeft(run)) return reportError(io, run.left);
    runs.push(run.right);
  }
  io.stdout.write(
    values.json === true
      ? `${JSON.stringify(jsonOf(params.right.id, values, runs), null, 2)}\n`
      : textOf(params.right.id, values, runs, Math.max(MIN_WIDTH, widthOfOutput(io))),
  );
  const problem = problemOf(runs);
  if (problem === null) return EXIT.ok;
  io.stderr.write(`spate: ${problem}\n`);
  return EXIT.failed;
};

/** What makes the command fail; null when nothing does. */
const problemOf = (runs: readonly Run[]): string | null => {
  const failed = runs.reduce((sum, run) => sum + run.failed, 0);
  if (failed > 0) return `${plural(failed, 'event')} failed: see spate inspect without --tells.`;
  const bare = runs.filter(({ attacks }) => attacks.length === 0);
  if (bare.length > 0)
    return bare[0]?.anomaly === null
      ? 'no event has the label of an attack: give --label and --globals.'
      : `no event of ${bare.map(({ anomaly }) => anomaly).join(', ')} has the label of an attack: give --label or more --events.`;
  const all = runs.flatMap(({ attacks }) => attacks);
  const told = all.filter(({ is_within }) => !is_within);
  if (told.length === 0) return null;
  return `${told.length} of ${plural(all.length, 'attack')} can be told from normal events: ${told.map(({ attack }) => attack).join(', ')}.`;
};

const jsonOf = (generator: string, values: Values, runs: readonly Run[]): JsonObject => ({
  generator,
  label: values.label ?? DEFAULT_LABEL,
  max_tell_share: MAX_TELL_SHARE,
  max_tree_accuracy: MAX_TREE_ACCURACY,
  runs: runs as unknown as readonly JsonObject[],
});

const treeText = ({ tree }: AttackReport): string => {
  if (tree === null) return `tree of two questions: fewer than ${MIN_EVENTS} events of a class`;
  const [root, yes, no] = tree.questions;
  const chance = `${tree.accuracy.toFixed(2)} of 1 right, by chance ${tree.shuffled.toFixed(2)}`;
  return `tree of two questions: ${chance}; ${root}? If so: ${yes}? If not: ${no}?`;
};

const attackLines = (report: AttackReport, { events }: Run): readonly string[] => {
  const { attack, events: own, tells, is_within } = report;
  const more = tells.length - MAX_TOLD;
  return [
    `${visible(attack)}: ${plural(own, 'event')}, ${showShare(own / events)}; ${is_within ? 'nothing gives it away' : 'given away'}`,
    ...tells
      .slice(0, MAX_TOLD)
      .map(({ share, text }) => `  ${showShare(share).padStart(6)} and no normal event: ${text}`),
    ...(more > 0 ? [`         and ${countText(more)} more marks: see --json`] : []),
    `  ${treeText(report)}`,
  ];
};

const textOf = (generator: string, values: Values, runs: readonly Run[], width: number): string => {
  const [first] = runs;
  const indicators = [...new Set(runs.flatMap((run) => run.indicators))];
  const lines = [
    `${generator}: ${plural(first?.events ?? 0, 'event')}${runs.length > 1 ? ' for each attack' : ''}`,
    `  label ${values.label ?? DEFAULT_LABEL}; may tell: ${indicators.length === 0 ? 'nothing' : indicators.join(', ')}`,
    ...runs.flatMap((run) =>
      run.attacks.length === 0
        ? ['', `${run.anomaly ?? generator}: no event has the label of an attack`]
        : run.attacks.flatMap((attack) => ['', ...attackLines(attack, run)]),
    ),
  ];
  return `${lines.map((line) => fitted(line, Math.max(width, 160))).join('\n')}\n`;
};
