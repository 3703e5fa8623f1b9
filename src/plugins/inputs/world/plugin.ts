import * as E from 'fp-ts/lib/Either.js';
import { parseDocument } from 'yaml';
import { Failed, failure, type Issue, type Result, reasonOf } from '../../../domain/errors.js';
import type { Json } from '../../../domain/json.js';
import { didYouMean, sentencesOf } from '../../../domain/text/shown.js';
import { MAX_MICROS, MICROS_PER_MINUTE, type Micros } from '../../../domain/time/micros.js';
import { showPath } from '../../../schema/index.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { Activity } from '../../../world/activity/kinds.js';
import { CAMPAIGN_MINUTES } from '../../../world/attack/names.js';
import type { Selection } from '../../../world/observe.js';
import { worldOf } from '../../../world/shared.js';
import { DEFAULT_WORLD, tooManyPeople, type WorldSpec } from '../../../world/spec.js';
import type { World } from '../../../world/world.js';
import { attackShown } from '../../activities.js';
import type { InputPlugin, PluginContext } from '../../kit.js';
import { generatorFile, readInputFile } from '../../shared/inputFile.js';
import { scheduleRangeOf } from '../shared/range.js';
import { worldSpec } from './spec.js';
import { worldInput } from './worldInput.js';
import { readWorld } from './worldShape.js';

type Params = ValueOf<typeof worldSpec.fields>;

const NO_GLOBALS = { get: () => null };
const CAMPAIGN_MICROS = CAMPAIGN_MINUTES * MICROS_PER_MINUTE;

/** Parameters go before the values of the world. */
const worldSpecOf = ({ people, seed, load }: Params, base: WorldSpec): WorldSpec => ({
  ...base,
  ...(people === null ? {} : { people }),
  ...(seed === null ? {} : { seed }),
  ...(load === null ? {} : { load }),
});

const selectionOf = ({ kinds, where, sensor }: Params): Selection => ({
  kinds,
  os: where?.os ?? null,
  roles: where?.roles ?? null,
  sites: where?.sites ?? null,
  over_vpn: where?.over_vpn ?? false,
  seen: sensor?.seen ?? 1,
  delay_seconds: sensor?.delay ?? 0,
  clock_error_seconds: sensor?.clock_error ?? 0,
});

const unknown = (
  path: readonly (string | number)[],
  name: string,
  known: readonly string[],
): Result<never> => {
  const hint = didYouMean(name, known) ?? `Known: ${known.join(', ')}.`;
  const message = `the world has no '${name}'`;
  return E.left(
    failure('plugin_failed', `${path.join('.')}: ${message}. ${hint}`, {
      issues: [{ path: [...path], type: 'not_allowed', message, hint }],
    }),
  );
};

/** Returns an error for a site or an attack that the world does not have. */
export const checkWorldNames = (
  { where, anomaly }: Pick<Params, 'where' | 'anomaly'>,
  { spec, attacks }: Pick<World, 'spec' | 'attacks'>,
): Result<void> => {
  const sites = spec.organization.sites.map(({ name }) => name);
  const lost = (where?.sites ?? []).findIndex((name) => !sites.includes(name));
  if (lost >= 0) return unknown(['where', 'sites', lost], where?.sites?.[lost] ?? '', sites);
  const names = ['none', ...Object.keys(attacks)];
  return names.includes(anomaly) ? E.right(undefined) : unknown(['anomaly'], anomaly, names);
};

/** The activities of an attack whose campaigns begin and end within a time. */
const isOfCampaigns = (attack: string, start: Micros, end: Micros): ((activity: Activity) => boolean) => {
  const first = Math.ceil(start / CAMPAIGN_MICROS);
  const last = Math.floor(end / CAMPAIGN_MICROS) - 2;
  return ({ truth }) =>
    truth !== null && truth.attack === attack && truth.campaign >= first && truth.campaign <= last;
};

export const worldPlugin: InputPlugin<typeof worldSpec.fields> = {
  spec: worldSpec,
  build: async (params, context) => {
    const range = scheduleRangeOf(params, context);
    if (E.isLeft(range)) return range;
    const base =
      params.path === null
        ? E.right(DEFAULT_WORLD)
        : await readWorldFile(generatorFile(context, params.path), context);
    if (E.isLeft(base)) return base;
    const spec = worldSpecOf(params, base.right);
    const message = tooManyPeople(spec.people, spec.load);
    if (message !== null) {
      const issues = [{ path: ['load'], type: 'out_of_range', message, hint: 'Lower people or load.' }];
      return E.left(failure('plugin_failed', `load ${message}. Lower people or load.`, { issues }));
    }
    const world = worldOf(spec);
    const checked = checkWorldNames(params, world);
    if (E.isLeft(checked)) return checked;
    const { start } = range.right;
    const end = Math.min(range.right.end, MAX_MICROS);
    const from = Math.ceil(context.skipPast ? Math.max(start, context.now) : start);
    if (from >= end) context.log.write('info', 'the end is in the past: no timestamps');
    const isOnly = params.attack_only ? isOfCampaigns(params.anomaly, start, end) : null;
    const { anomaly } = params;
    const isFixed = isOnly !== null;
    const globals = isFixed ? NO_GLOBALS : context.ownGlobals;
    const attackNow = globals === undefined ? null : () => attackShown({ anomaly, isFixed }, globals);
    const { signal } = context;
    const selection = selectionOf(params);
    return E.right(worldInput({ world, selection, anomaly, isOnly, attackNow, from, end, signal }));
  },
};

const MAX_WORLD_BYTES = 1024 * 1024;
const MAX_ALIASES = 100;

const refused = (file: string, why: string) => failure('plugin_failed', `${file}: ${why}`, { file });

const sentenceOf = ({ path, ...what }: Issue): string =>
  path.length === 0 ? sentencesOf(what) : `${showPath(path)} ${sentencesOf(what)}`;

/** Throws for a text that is no YAML, or with more aliases than anybody writes. */
const parsedYaml = (text: string): Json => {
  const document = parseDocument(text, { prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) throw error;
  return document.toJS({ maxAliasCount: MAX_ALIASES }) as Json;
};

const parseWorld = (text: string, file: string): Result<WorldSpec> =>
  E.flatMap((value: Json) =>
    E.mapLeft((issues: readonly Issue[]) => refused(file, issues.map(sentenceOf).join(' ')))(
      readWorld(value),
    ),
  )(
    E.tryCatch(
      () => parsedYaml(text),
      (thrown) => {
        const [first = ''] = reasonOf(thrown).split('\n');
        return refused(file, `the file is not YAML: ${first.replace(/:$/, '')}. See spate validate.`);
      },
    ),
  );

/**
 * Reads the file of a world on the thread of its generator. `file` is absolute. Returns an error when it cannot be read
 * or is no world; `spate validate` adds line and column to what is told here.
 */
export const readWorldFile = async (
  file: string,
  { clock }: Pick<PluginContext, 'clock'>,
): Promise<Result<WorldSpec>> => {
  try {
    const bytes = await readInputFile(file, clock, MAX_WORLD_BYTES);
    return bytes === null
      ? E.left(refused(file, `is larger than ${MAX_WORLD_BYTES} bytes, so it is no world.`))
      : parseWorld(bytes.toString('utf8'), file);
  } catch (thrown) {
    if (thrown instanceof Failed) return E.left(thrown.error);
    return E.left(refused(file, `cannot be read: ${reasonOf(thrown)}`));
  }
};
