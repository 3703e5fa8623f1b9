import type { JsonObject } from '../../../src/domain/json.js';
import { type CaseOptions, casesOf, methodsAt } from './cases/casesOf.js';
import type { RequestCase } from './cases/requestCase.js';
import { type Operation, resolveIn } from './document.js';
import { type Court, judge } from './judge.js';
import { type Plan, planOf } from './plans.js';
import { errandRequest, toWire, withEtag } from './sending.js';
import { type Excuse, RULES, withNeeds } from './values/beyondSchema.js';
import type { Validators } from './values/validators.js';
import type { Wire, WireAnswer, WireRequest } from './wire.js';

/** What all trials of one document share. */
export interface Bench {
  readonly document: JsonObject;
  readonly all: readonly Operation[];
  readonly validators: Validators;
  /** Chooses for one operation; the same whatever the order in which operations are tried. */
  readonly pickFor: (id: string) => CaseOptions['pick'];
}

/** How one operation did. */
export interface Verdict {
  readonly id: string;
  readonly valid: number;
  readonly broken: number;
  /** What is wrong, one text per request. */
  readonly faults: readonly string[];
  /** Answers that had an excuse: why, and how often. */
  readonly excused: ReadonlyMap<string, number>;
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly took_ms: number;
}

/** `all`: nothing is drawn, every operation gets every request. */
const SENDS_ALL = process.env['SPATE_TEST_REQUESTS'] === 'all';

/** The place of the body that a request is about: its label begins with it. */
const placeOf = ({ label }: RequestCase): string => label.split(': ')[0] ?? '';

/**
 * Some of many requests, in their order: where there is room one about each place of the body, so that the draw forgets
 * none, then any others. The seed decides which.
 */
const drawn = (
  from: readonly RequestCase[],
  most: number | null,
  pick: CaseOptions['pick'],
): readonly RequestCase[] => {
  if (most === null || SENDS_ALL || from.length <= most) return from;
  const byPlace = new Map<string, RequestCase[]>();
  for (const each of from) {
    const known = byPlace.get(placeOf(each));
    if (known === undefined) byPlace.set(placeOf(each), [each]);
    else known.push(each);
  }
  const ofPlaces = byPlace.size > most ? [] : [...byPlace.values()].flatMap((cases) => pick(cases, 1));
  const chosen = new Set(ofPlaces);
  for (const each of pick(
    from.filter((request) => !chosen.has(request)),
    most - chosen.size,
  ))
    chosen.add(each);
  return from.filter((request) => chosen.has(request));
};

/** Of texts in the place of one parameter of a path. All go to the same parser, and 150 operations send each of them. */
const MOST_TEXTS_OF_PARAMETER = 12;

const drawnPaths = (cases: readonly RequestCase[], pick: CaseOptions['pick']): readonly RequestCase[] => {
  if (SENDS_ALL) return cases;
  const inPaths = cases.filter(({ path }) => path !== undefined);
  const parameters = new Set(inPaths.flatMap(({ path }) => Object.keys(path ?? {})));
  const chosen = new Set(
    [...parameters].flatMap((name) =>
      pick(
        inPaths.filter(({ path }) => path !== undefined && Object.hasOwn(path, name)),
        MOST_TEXTS_OF_PARAMETER,
      ),
    ),
  );
  return cases.filter((request) => request.path === undefined || chosen.has(request));
};

/** The requests of an operation, without those that its plan has too little time for. */
export const requestsTo = (bench: Bench, operation: Operation): readonly RequestCase[] => {
  const { document, all, validators } = bench;
  const pick = bench.pickFor(operation.id);
  const plan = planOf(operation);
  const every = casesOf(operation, {
    all,
    resolve: (schema) => withNeeds(resolveIn(document, schema)),
    ...validators,
    pick,
    query: plan.query,
  });
  const cases = drawnPaths(every, pick);
  const bodies = cases.filter(({ isBroken, body }) => isBroken && body !== undefined);
  return [
    ...drawn(
      cases.filter(({ isBroken }) => !isBroken),
      plan.most_valid,
      pick,
    ),
    ...cases.filter(({ isBroken, body }) => isBroken && body === undefined),
    ...drawn(bodies, plan.most_broken, pick),
  ];
};

/** The excuse of an answer; that to a HEAD request has no body to say it. */
const excuseFor = (excuses: readonly Excuse[], { status, body }: WireAnswer): Excuse | undefined =>
  excuses.find(
    (excuse) => excuse.status === status && (body.length === 0 || excuse.says.test(body.toString())),
  );

const describe = (
  { label }: RequestCase,
  sent: WireRequest,
  flaws: readonly string[],
  answer: string,
): string =>
  [
    `${label}: ${flaws.join('; ')}`,
    `  ${sent.method} ${sent.target.slice(0, 200)} ${String(sent.body ?? '').slice(0, 300)}`,
    `  ${answer.slice(0, 400)}`,
  ].join('\n');

const increase = <K>(counts: Map<K, number>, key: K): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

/** What comes of one request: a fault, an excuse, or neither. */
type Outcome = Partial<Record<'fault' | 'excuse', string>> & { readonly status: number };

const tryRequest = async (
  court: Court,
  plan: Plan,
  request: RequestCase,
  sent: WireRequest,
  wire: Wire,
): Promise<Outcome> => {
  try {
    const answer = await wire.send(sent);
    const { status, body } = answer;
    const flaws = judge(court, request, answer);
    if (flaws.length === 0) return { status };
    const excuse = excuseFor([...plan.excuses, ...RULES], answer);
    // An excuse is for what was thought to be right; what is broken has none.
    if (excuse !== undefined && !request.isBroken) return { status, excuse: excuse.why };
    return { status, fault: describe(request, sent, flaws, `${status} ${body.toString()}`) };
  } catch (thrown) {
    return { status: 0, fault: describe(request, sent, [String(thrown)], '') };
  }
};

/** Sends the requests to one operation, one after the other, and judges the answers. */
export const tryOperation = async (
  bench: Bench,
  operation: Operation,
  cases: readonly RequestCase[],
  wire: Wire,
): Promise<Verdict> => {
  const started = performance.now();
  const plan = planOf(operation);
  const methods = methodsAt(operation, bench.all);
  const court: Court = { operation, methods, flawOf: bench.validators.flawOf };
  const faults: string[] = [];
  const excused = new Map<string, number>();
  const statuses = new Map<number, number>();
  for (const each of plan.first) await wire.send(errandRequest(each));
  for (const [index, request] of cases.entries()) {
    if (!request.isBroken) for (const each of plan.before) await wire.send(errandRequest(each));
    const sent = await withEtag(
      wire,
      toWire(bench.document, operation, plan, request, `fresh-${operation.id}-${index}`),
    );
    const { status, fault, excuse } = await tryRequest(court, plan, request, sent, wire);
    increase(statuses, status);
    if (excuse !== undefined) increase(excused, excuse);
    if (fault !== undefined) faults.push(fault);
  }
  const broken = cases.filter(({ isBroken }) => isBroken).length;
  const took_ms = performance.now() - started;
  return { id: operation.id, valid: cases.length - broken, broken, faults, excused, statuses, took_ms };
};
