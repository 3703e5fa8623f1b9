import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../domain/errors.js';
import { didYouMean } from '../../../domain/text/shown.js';
import { MAX_MICROS, MICROS_PER_MINUTE, type Micros } from '../../../domain/time/micros.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { Activity } from '../../../world/activity/kinds.js';
import { CAMPAIGN_MINUTES } from '../../../world/attack/names.js';
import type { Selection } from '../../../world/observe.js';
import { worldOf } from '../../../world/shared.js';
import { DEFAULT_WORLD, tooManyPeople, type WorldSpec } from '../../../world/spec.js';
import type { World } from '../../../world/world.js';
import { attackShown } from '../../activities.js';
import type { InputPlugin } from '../../kit.js';
import { generatorFile } from '../../shared/inputFile.js';
import { scheduleRangeOf } from '../shared/range.js';
import { worldSpec } from './spec.js';
import { readWorldFile } from './worldFile.js';
import { worldInput } from './worldInput.js';

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
