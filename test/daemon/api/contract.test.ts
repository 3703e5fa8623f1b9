import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/domain/json.js';
import { seededRandom } from '../../../src/domain/random.js';
import { credentialCases } from '../../support/contract/cases/accessCases.js';
import type { RequestCase } from '../../support/contract/cases/requestCase.js';
import { type Operation, operationsOf } from '../../support/contract/document.js';
import { successOf } from '../../support/contract/judge.js';
import { runInLanes } from '../../support/contract/lanes.js';
import { planOf } from '../../support/contract/plans.js';
import { allowances, table } from '../../support/contract/report.js';
import { portOf, startSubject } from '../../support/contract/subject.js';
import { type Bench, requestsTo, tryOperation, type Verdict } from '../../support/contract/trial.js';
import { NEEDS, RULES } from '../../support/contract/values/beyondSchema.js';
import { makeValidators } from '../../support/contract/values/validators.js';
import { openWire } from '../../support/contract/wire.js';
import { eventually, type Instance } from '../../support/instance.js';

/** Another seed puts huge values at other places and draws other requests where not all are sent. */
const SEED = process.env['SPATE_TEST_SEED'] ?? 'contract';
/** `SPATE_TEST_REQUESTS=all` sends every request; without it, operations with thousands get a drawn part (`plans.ts`). */
const REQUESTS = process.env['SPATE_TEST_REQUESTS'] ?? 'drawn';
/** A regular expression: only operations with such an id. */
const ONLY = new RegExp(process.env['SPATE_TEST_OPERATIONS'] ?? '');
const LANES = 2;

/** They end what the requests after them need; each is tried on an instance of its own, its success last. */
const APART = ['stopInstance', 'restartInstance', 'logout'] as const;

const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

let bench: Bench;
const running = new Set<Instance>();

const start = async (server = ''): Promise<Instance> => {
  const instance = await startSubject(server);
  running.add(instance);
  return instance;
};

const end = async (instance: Instance): Promise<void> => {
  running.delete(instance);
  await instance.remove();
};

/** Draws `count` members of a list without repetition, in their order. */
const pickFor: Bench['pickFor'] = (id) => {
  const random = seededRandom(SEED).fork(id);
  return (from, count) => {
    const drawn = from.map((member, index) => ({ member, index, at: random.next() }));
    const chosen = drawn.sort((a, b) => a.at - b.at).slice(0, count);
    return chosen.sort((a, b) => a.index - b.index).map(({ member }) => member);
  };
};

beforeAll(async () => {
  say(`seed ${SEED} (SPATE_TEST_SEED), ${REQUESTS} requests (SPATE_TEST_REQUESTS)`);
  const instance = await start();
  const document = (await instance.api('GET', '/openapi.json')).body as JsonObject;
  await end(instance);
  const all = operationsOf(document);
  bench = { document, all, validators: makeValidators(document), pickFor };
});

afterEach(async () => {
  await Promise.all([...running].map(end));
});

/** Tries operations one after the other on one instance. */
const tryTogether = async (
  operations: readonly Operation[],
  casesFor: (operation: Operation) => readonly RequestCase[],
  server = '',
): Promise<readonly Verdict[]> => {
  const instance = await start(server);
  const wire = openWire(portOf(instance));
  const verdicts: Verdict[] = [];
  for (const operation of operations)
    verdicts.push(await tryOperation(bench, operation, casesFor(operation), wire));
  wire.close();
  // Whatever was sent, the service runs on and knows what it knew.
  expect((await instance.api('GET', '/health')).status).toBe(200);
  await end(instance);
  return verdicts;
};

const faultsOf = (verdicts: readonly Verdict[]): readonly string[] =>
  verdicts.flatMap(({ id, faults }) => faults.slice(0, 20).map((fault) => `${id}: ${fault}`));

const isApart = ({ id }: Operation): boolean => APART.some((each) => each === id);
/**
 * Operations below each of these change only what is theirs, or bring it back before each request: one instance serves
 * them all. Each other operation that changes something has an instance of its own.
 */
const TOGETHER = [
  '/cluster/',
  '/destinations/',
  '/generator-configs/',
  '/generators/',
  '/incidents/',
  '/preview/{name}/event-plugin/',
  '/preview/',
  '/scenarios/',
  '/secrets/',
  '/startup/',
] as const;
const operationWith = (id: string): Operation => {
  const found = bench.all.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`the document has no operation ${id}`);
  return found;
};

describe('the OpenAPI document', () => {
  test('is kept by every operation for every request', async () => {
    const tried = bench.all.filter((operation) => !isApart(operation) && ONLY.test(operation.id));
    const reading = tried.filter(({ method }) => method === 'GET');
    const others = tried.filter(({ method }) => method !== 'GET');
    const casesFor = (operation: Operation) => requestsTo(bench, operation);
    const groups = new Map<string, Operation[]>();
    for (const operation of others) {
      const place = TOGETHER.find((prefix) => operation.path.startsWith(prefix)) ?? operation.id;
      groups.set(place, [...(groups.get(place) ?? []), operation]);
    }
    const jobs = [...groups.values(), reading].map((operations) => () => tryTogether(operations, casesFor));
    const began = performance.now();
    const verdicts = await runInLanes(jobs, LANES);
    const plans = tried.map(planOf);
    const excuses = [...new Set([...RULES, ...plans.flatMap((plan) => plan.excuses)])];
    const drawn = new Set(plans.filter((plan) => plan.most_valid !== null).flatMap((plan) => plan.excuses));
    say(table(verdicts));
    say(allowances(NEEDS, excuses, verdicts));
    say(`${((performance.now() - began) / 1_000).toFixed(0)} s in ${LANES} lanes`);
    expect(faultsOf(verdicts)).toEqual([]);
    expect(verdicts.filter(({ broken, valid }) => broken === 0 || valid === 0)).toEqual([]);
    // An excuse that nothing needs any more would hide the next fault; where only some are sent, it may come to none.
    const used = new Set(verdicts.flatMap(({ excused }) => [...excused.keys()]));
    const needed = REQUESTS === 'all' ? excuses : excuses.filter((each) => !RULES.includes(each));
    if (ONLY.source === '(?:)')
      expect(needed.filter((each) => !used.has(each.why) && !drawn.has(each))).toEqual([]);
  }, 600_000);

  test('is kept towards clients without credentials, and with wrong ones', async () => {
    const auth = 'auth: {user: tester, password: a password of the test}';
    const tried = bench.all.filter(({ id }) => ONLY.test(id));
    const verdicts = await tryTogether(tried, credentialCases, auth);
    say(`${verdicts.length} operations, each ${credentialCases(operationWith('login')).length} times`);
    expect(faultsOf(verdicts)).toEqual([]);
  });
});

describe('operations that end something', () => {
  test.each(APART)('%s refuses what is broken and does nothing then', async (id) => {
    const operation = operationWith(id);
    const instance = await start();
    const wire = openWire(portOf(instance));
    const isHarmless = ({ expected }: RequestCase): boolean =>
      expected.kind === 'refused' || (expected.kind === 'status' && !expected.statuses.includes(200));
    const cases = requestsTo(bench, operation).filter(isHarmless);
    const verdict = await tryOperation(bench, operation, cases, wire);
    say(table([verdict]));
    expect(faultsOf([verdict])).toEqual([]);
    expect(await instance.api('GET', '/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
    const least = requestsTo(bench, operation).filter(({ label }) => label === 'the least');
    expect(faultsOf([await tryOperation(bench, operation, least, wire)])).toEqual([]);
    wire.close();
  });

  test('stopInstance ends the program, restartInstance starts a new instance in it', async () => {
    const instance = await start();
    const uptime = async (): Promise<number> => {
      const { body } = await instance.api('GET', '/health');
      return (body as { readonly uptime_seconds: number }).uptime_seconds;
    };
    await eventually(async () => ((await uptime()) > 0.5 ? true : null), 'half a second');
    const before = await uptime();
    expect((await instance.api('POST', '/instance/restart')).status).toBe(
      successOf(operationWith('restartInstance')),
    );
    await eventually(async () => {
      const now = await uptime().catch(() => null);
      return now !== null && now < before ? true : null;
    }, 'the restart');
    expect((await instance.api('POST', '/instance/stop')).status).toBe(
      successOf(operationWith('stopInstance')),
    );
    expect(await instance.program().exited).toEqual({ code: 0, signal: null });
  });
});
