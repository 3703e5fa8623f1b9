import { type IncidentRun, type Occurrence, occurrencesOf, phaseTag } from '../domain/incidents/incident.js';
import { isJsonObject, type Json, type JsonObject } from '../domain/json.js';
import { isoFormatter } from '../domain/time/iso.js';
import { MICROS_PER_SECOND } from '../domain/time/micros.js';
import { utc } from '../domain/time/zone.js';
import { withEntities } from './entities.js';

const iso = isoFormatter(utc);

const momentOf = ({ start }: IncidentRun, seconds: number): string =>
  iso(start + Math.round(seconds * MICROS_PER_SECOND));

/** One microsecond: the ends of most inputs belong to them. */
const TICK = 1 / MICROS_PER_SECOND;

const boundsOf = (run: IncidentRun, { from, to }: Pick<PhaseWindow, 'from' | 'to'>): JsonObject => ({
  ...(from === null ? {} : { start: momentOf(run, from) }),
  ...(to === null ? {} : { end: momentOf(run, to - TICK) }),
});

/**
 * The resolution of the timestamps of a member in seconds, so that nothing tells added events from usual ones by their
 * fraction of a second. Null when its inputs make exact timestamps. At most a second: a change of a running incident
 * counts from a whole one.
 */
const resolutionOf = (inputs: readonly JsonObject[]): number | null => {
  const given = inputs.flatMap(Object.entries).map(([kind, params]): number | null => {
    if (kind === 'cron') return 1;
    return ((params as JsonObject)['resolution'] ?? null) as number | null;
  });
  return given.includes(null) || given.length === 0 ? null : Math.min(1, ...(given as readonly number[]));
};

/** Fields of each input that can be bounded: what a factor of the rate multiplies. */
const RATES: Readonly<Record<string, readonly string[]>> = {
  cron: ['count'],
  rate: ['events_per_second', 'mb_per_second', 'gb_per_day'],
  // Its rate is that of its people.
  world: [],
};

/** Returns why inputs cannot be part of an incident, or null when they can. */
export const inputProblem = (inputs: readonly Json[]): string | null => {
  const kinds = inputs.flatMap((input) => (isJsonObject(input) ? Object.keys(input) : []));
  const other = kinds.find((kind) => !Object.hasOwn(RATES, kind));
  return other === undefined
    ? null
    : `its input \`${other}\` has no end, and an incident has one. Use ${Object.keys(RATES)
        .map((one) => `\`${one}\``)
        .join(', ')}`;
};

/** Multiplies the rate of an input. Returns null when nothing is left of it. */
const faster = (kind: string, params: JsonObject, factor: number): JsonObject | null => {
  const fields = (RATES[kind] ?? []).filter((field) => typeof params[field] === 'number');
  const scaled = fields.map((field) => {
    const value = (params[field] as number) * factor;
    return [field, kind === 'cron' ? Math.round(value) : value] as const;
  });
  return scaled.some(([, value]) => value === 0) ? null : { ...params, ...Object.fromEntries(scaled) };
};

/** An input of the generator within a window, which replaces its own `start` and `end`. */
const within = (input: JsonObject, window: PhaseWindow, run: IncidentRun): readonly JsonObject[] =>
  Object.entries(input).flatMap(([kind, given]) => {
    const params = faster(kind, given as JsonObject, window.rate_factor);
    if (params === null) return [];
    const own = (params['globals'] ?? {}) as JsonObject;
    const globals = { ...own, ...(withEntities(window.globals, run.drawn) as JsonObject) };
    const tags = [...((params['tags'] ?? []) as readonly string[]), ...window.tags];
    return [{ [kind]: { ...params, globals, tags, ...boundsOf(run, window) } }];
  });

/** Float sums of seconds are this exact. */
const ROUNDING = 1e-6;

/** Returns the events of a phase that fall into a part of it, or null for none. They lie evenly over all of it. */
const evenly = (
  count: number,
  phase: Pick<Occurrence, 'from' | 'to'>,
  from: number,
  to: number,
): { readonly count: number; readonly from: number; readonly to: number } | null => {
  if (count === 0) return null;
  const step = (phase.to - phase.from) / count;
  const numberAt = (moment: number): number =>
    Math.min(count, Math.max(0, Math.ceil((moment - phase.from) / step - ROUNDING)));
  const [first, end] = [numberAt(from), numberAt(to)];
  if (first === end) return null;
  return { count: end - first, from: phase.from + first * step, to: phase.from + end * step };
};

interface Stretch {
  /** The inputs of the member itself. */
  readonly own: readonly JsonObject[];
  readonly from: number;
  readonly to: number;
  /** They choose outputs. */
  readonly tags: readonly string[];
}

/** What a phase adds to a member between two moments. */
const addedWithin = (
  member: string,
  occurrence: Occurrence,
  { own, from, to, tags: routes }: Stretch,
  run: IncidentRun,
): readonly JsonObject[] => {
  const { phase } = occurrence;
  const phaseMember = phase.members[member];
  if (phaseMember === undefined || from >= to) return [];
  const resolution = resolutionOf(own);
  const globals = withEntities({ ...phase.globals, ...phaseMember.globals }, run.drawn) as JsonObject;
  const tags = [phaseTag(run.incident.name, phase.name), ...routes];
  const even = evenly(phaseMember.events, occurrence, from, to);
  const spread = even && {
    start: momentOf(run, even.from),
    end: momentOf(run, even.to),
    count: even.count,
    endpoint: false,
    resolution,
    tags,
    globals,
  };
  const given = phaseMember.input.map((input) =>
    Object.fromEntries(
      Object.entries(input).map(([kind, params]) => [
        kind,
        {
          ...(kind === 'rate' ? { resolution } : {}),
          ...(params as JsonObject),
          tags,
          globals,
          ...boundsOf(run, { from, to }),
        },
      ]),
    ),
  );
  const attacks = worldsIn(phaseMember.attack === null ? [] : own).map((params) => ({
    world: {
      ...params,
      anomaly: phaseMember.attack,
      attack_only: true,
      globals: { ...((params['globals'] ?? {}) as JsonObject), ...globals },
      tags: [...((params['tags'] ?? []) as readonly string[]), ...tags],
      ...boundsOf(run, { from, to }),
    },
  }));
  return [...(spread === null ? [] : [{ linspace: spread }]), ...given, ...attacks];
};

/** Parameters of the inputs `world`. */
export const worldsIn = (inputs: readonly JsonObject[]): readonly JsonObject[] =>
  inputs.flatMap(({ world }) => (isJsonObject(world) ? [world] : []));

/** Outputs are chosen by the tags of the windows, so what a phase adds is cut where they change. */
const addedInputs = (
  member: string,
  occurrence: Occurrence,
  windows: readonly PhaseWindow[],
  inputs: readonly JsonObject[],
  run: IncidentRun,
): readonly JsonObject[] => {
  const { range } = run;
  const [begin, end] = [Math.max(occurrence.from, range.from), Math.min(occurrence.to, range.to)];
  const isRouted = windows.some(({ tags }) => tags.length > 0);
  const stretches = isRouted ? windows : [{ from: null, to: null, tags: [] }];
  return stretches.flatMap(({ from, to, tags }) =>
    addedWithin(
      member,
      occurrence,
      { own: inputs, from: Math.max(begin, from ?? begin), to: Math.min(end, to ?? end), tags },
      run,
    ),
  );
};

const isUnchanged = ({ from, to, isStopped, globals, rate_factor, tags }: PhaseWindow): boolean =>
  from === null &&
  to === null &&
  !isStopped &&
  Object.keys(globals).length === 0 &&
  rate_factor === 1 &&
  tags.length === 0;

/** Seconds; later than any run. */
const FAR = 100 * 365 * 86_400;

/** Without inputs that go on, a generator would end: they wait. */
const waiting: PhaseWindow = {
  from: FAR,
  to: FAR + FAR / 5,
  isStopped: false,
  globals: {},
  rate_factor: 1,
  tags: [],
};

/** `input` of a member: its own inputs within the windows, and what the phases add. */
export const memberInputs = (
  inputs: readonly JsonObject[],
  member: string,
  windows: readonly PhaseWindow[],
  run: IncidentRun,
): readonly JsonObject[] => {
  const during = (window: PhaseWindow): readonly JsonObject[] =>
    window.isStopped ? [] : inputs.flatMap((input) => within(input, window, run));
  const usual = windows.every(isUnchanged) ? [inputs] : windows.map(during);
  const goesOn = run.isAlone || (usual.at(-1) ?? []).length > 0;
  const added = occurrencesOf(run.incident).flatMap((one) => addedInputs(member, one, windows, inputs, run));
  return [...usual.flat(), ...(goesOn ? [] : during(waiting)), ...added];
};

/** A part of the incident in which the usual events of a member are made alike. */
interface PhaseWindow {
  /** Seconds after the start of the incident. Null when the window begins before it. */
  readonly from: number | null;
  /** Exclusive. Null when the window has no end. */
  readonly to: number | null;
  readonly isStopped: boolean;
  readonly globals: JsonObject;
  readonly rate_factor: number;
  /** Tags for the routes of outputs. */
  readonly tags: readonly string[];
}

/** The tag of the timestamps while a phase replaces outputs. */
export const outputTag = (incident: string, phase: string): string => `incident:${incident}/${phase}/output`;

const phaseMemberOf = (member: string, { phase }: Occurrence) => phase.members[member];

const isConcerned = (member: string, occurrence: Occurrence): boolean => {
  const { stopped, globals } = occurrence.phase;
  const phaseMember = phaseMemberOf(member, occurrence);
  return (
    stopped.includes(member) ||
    Object.keys(globals).length > 0 ||
    (phaseMember !== undefined && (phaseMember.rate_factor !== 1 || phaseMember.output !== null))
  );
};

interface Segment extends Pick<PhaseWindow, 'from' | 'to'> {
  readonly during: readonly Occurrence[];
}

const isSame = (a: readonly Occurrence[], b: readonly Occurrence[]): boolean =>
  a.length === b.length && a.every((one, index) => one === b[index]);

/** Neighbors with the same phases become one. */
const joined = (segments: readonly Segment[]): readonly Segment[] =>
  segments.flatMap((segment, index) => {
    const before = segments[index - 1];
    if (before !== undefined && isSame(before.during, segment.during)) return [];
    const next = segments.findIndex((one, at) => at > index && !isSame(one.during, segment.during));
    return [{ ...segment, to: next === -1 ? null : (segments[next] as Segment).from }];
  });

/** Before its start nothing has happened yet; where it stops, its last moment goes on. */
const segmentsOf = (mine: readonly Occurrence[], { range: { from, to }, isAlone }: IncidentRun) => {
  const at = (moment: number) => mine.filter((one) => one.from <= moment && moment < one.to);
  const edges = mine.flatMap((one) => [one.from, one.to]).filter((edge) => from < edge && edge < to);
  const cuts = [...new Set([from, ...edges, to])].sort((a, b) => a - b);
  const inside = cuts.slice(1).map((end, index): Segment => {
    const begin = cuts[index] as number;
    return { from: begin, to: end, during: at(begin) };
  });
  if (isAlone) return inside;
  return joined([
    { from: null, to: from, during: from === 0 ? [] : at(from) },
    ...inside,
    { from: to, to: null, during: at(to) },
  ]);
};

const windowOf =
  (member: string, incident: string) =>
  ({ from, to, during }: Segment): PhaseWindow => ({
    from,
    to,
    isStopped: during.some(({ phase }) => phase.stopped.includes(member)),
    globals: Object.assign({}, ...during.map(({ phase }) => phase.globals)) as JsonObject,
    rate_factor: during.reduce((factor, one) => factor * (phaseMemberOf(member, one)?.rate_factor ?? 1), 1),
    tags: during.flatMap((one) =>
      (phaseMemberOf(member, one)?.output ?? null) === null ? [] : [outputTag(incident, one.phase.name)],
    ),
  });

/** The windows of a member, in order and without gaps. */
export const windowsOf = (member: string, run: IncidentRun): readonly PhaseWindow[] => {
  const mine = occurrencesOf(run.incident).filter((one) => isConcerned(member, one));
  return segmentsOf(mine, run).map(windowOf(member, run.incident.name));
};
