import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { AskActor } from '../../actors/ask.js';
import { systemClock } from '../adapters/systemClock.js';
import type { choiceIssue } from '../config/generator/given.js';
import type { Json } from '../domain/json.js';
import type { Micros } from '../domain/time/micros.js';
import type { ScenarioRequests } from '../messages/scenarios.js';
import type { Log } from '../ports/log.js';
import type { MemberGlobals, partIssue, unreadGlobal } from '../worker/check/globals.js';

/** How long what members read is taken to be the same; only a warning depends on it. */
const KNOWN_MICROS = 30_000_000;
const MAX_KNOWN = 1_000;
/** Keys of one change that are warned about. */
const MAX_WARNINGS = 10;

type Change = ScenarioRequests['globals.change'];

interface UnreadOptions {
  /** Configs of the members of a scenario, absolute. */
  readonly membersOf: (scenario: string) => Promise<readonly string[]>;
  readonly look: (paths: readonly string[]) => Promise<MemberGlobals>;
  readonly now: () => Micros;
  readonly log: Pick<Log, 'write'>;
}

const given = ({ change }: Change['payload']): readonly (readonly [string, Json])[] =>
  'values' in change ? Object.entries(change.values).filter(([, value]) => value !== null) : [];

const warningOf = (
  key: string,
  value: Json,
  globals: MemberGlobals,
  checks: {
    readonly unreadOf: typeof unreadGlobal;
    readonly issueOf: typeof choiceIssue;
    readonly partOf: typeof partIssue;
  },
): string | null => {
  const unread = checks.unreadOf(key, globals);
  if (unread !== null) {
    const verb = unread.isCertain ? 'reads' : 'mentions';
    return `no member ${verb} the global '${key}'${unread.hint === null ? '' : `. ${unread.hint}`}`;
  }
  const issue = checks.issueOf(key, value, globals.choices);
  if (issue === null) return checks.partOf(key, value, globals);
  return `the value of '${key}' is none that a member has. ${issue.hint ?? ''}`;
};

/** What the members of scenarios read, by the startup list and by generators that are not in it. */
export const readsOfMembers = (
  ask: AskActor,
  generators_dir: string,
): Pick<UnreadOptions, 'membersOf' | 'look' | 'now'> => ({
  membersOf: async (name) => {
    const members = await ask('scenarios.read', { name });
    const listed = await ask('startup.list', null);
    const known = await ask('generators.list', null);
    const entries = E.isRight(listed) ? listed.right.entries : [];
    const ids = new Set(E.isRight(members) ? members.right.generator_ids : []);
    const inList = entries.filter(({ id, scenarios }) => ids.has(id) || scenarios.includes(name));
    const paths = new Map(inList.map(({ id, path }) => [id, path]));
    const running = E.isRight(known) ? known.right : [];
    for (const { id, path } of running)
      if (ids.has(id) && !paths.has(id)) paths.set(id, resolve(generators_dir, path));
    return [...paths.values()];
  },
  look: async (paths) => (await import('../worker/check/globals.js')).memberGlobals(paths),
  now: systemClock.now,
});

/** Adds warnings to the answers of changed globals: keys that no member reads, anomalies that none has, and parts that are none. */
export const withUnreadGlobals = (ask: AskActor, { membersOf, look, now, log }: UnreadOptions): AskActor => {
  const known = new Map<string, { readonly at: Micros; readonly globals: Promise<MemberGlobals> }>();
  const logged = new Set<string>();

  const globalsOf = (scenario: string): Promise<MemberGlobals> => {
    const found = known.get(scenario);
    if (found !== undefined && now() - found.at < KNOWN_MICROS) return found.globals;
    if (known.size >= MAX_KNOWN) known.clear();
    const globals = membersOf(scenario).then(look);
    known.set(scenario, { at: now(), globals });
    return globals;
  };

  const warningsFor = async (payload: Change['payload']): Promise<readonly string[]> => {
    if (given(payload).length === 0) return [];
    // Lazy: many services never change a global.
    const { choiceIssue: issueOf } = await import('../config/generator/given.js');
    const { unreadGlobal: unreadOf, partIssue: partOf } = await import('../worker/check/globals.js');
    const globals = await globalsOf(payload.name);
    const checks = { unreadOf, issueOf, partOf };
    const warnings = given(payload).flatMap(([key, value]) => warningOf(key, value, globals, checks) ?? []);
    return warnings.slice(0, MAX_WARNINGS);
  };

  const note = (scenario: string, warning: string): void => {
    const name = `${scenario}\0${warning}`;
    if (logged.has(name) || logged.size >= MAX_KNOWN) return;
    logged.add(name);
    log.write('warning', 'a change of globals has no effect', { scenario, reason: warning });
  };

  return (async (type: string, payload: unknown) => {
    const answer = await (ask as (type: string, payload: unknown) => Promise<E.Either<never, unknown>>)(
      type,
      payload,
    );
    if (type !== 'globals.change' || E.isLeft(answer)) return answer;
    const changed = payload as Change['payload'];
    // Members that cannot be read are no reason to fail a change that is done.
    const warnings = await warningsFor(changed).catch((): readonly string[] => []);
    for (const warning of warnings) note(changed.name, warning);
    return warnings.length === 0 ? answer : E.right({ ...(answer.right as Change['answer']), warnings });
  }) as AskActor;
};
