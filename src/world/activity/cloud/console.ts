import { MICROS_PER_MINUTE, type Micros } from '../../../domain/time/micros.js';
import type { Activity } from '../kinds.js';
import { type Past, rememberPast } from '../past.js';
import type { Scribe, Surroundings } from '../scribe.js';
import { jobOf } from './calls.js';
import { ACTS_OF_PERSON, CONSOLE_ACT, cloudFacts } from './minute.js';
import type { CloudClient, CloudPrincipal } from './principals.js';

/** Purpose of the draws of people at the console. */
const WHY_CONSOLE = 488;

/** How long somebody stays at the console, in minutes, and how many of the minutes have a page. */
const STAY = { median: 7, sigma: 0.7, most: 25 };
const PAGE_SHARE = 0.75;

/** Who signed in to the cloud before a minute, and may still be there. Those of attacks write on themselves. */
export const rememberSignIns = (look: (minute: number) => readonly Activity[]): Past =>
  rememberPast(look, STAY.most, ({ kind, truth }) => kind === 'cloud_sign_in' && truth === null);

/** Writes what people do in a minute in consoles that they opened before. */
export const consoleMinute = (
  scribe: Scribe,
  world: Surroundings,
  opened: readonly Activity[],
  from: Micros,
): void => {
  const done = new Set<number>();
  for (const { at: since, facts, person, id } of opened) {
    if (person === null || done.has(person.number)) continue;
    const own = world.draws.of(person.number, id, WHY_CONSOLE);
    const stay = Math.min(STAY.most - 1, own.lognormal(STAY.median, STAY.sigma)) * MICROS_PER_MINUTE;
    if (from > since + stay) continue;
    const minute = world.draws.of(person.number, from, WHY_CONSOLE);
    if (!minute.chance(PAGE_SHARE)) continue;
    done.add(person.number);
    const { grants, client } = facts as unknown as { grants: CloudPrincipal; client: CloudClient };
    const calls = jobOf(minute, grants.role?.work ?? 'reader');
    const at = from + Math.floor(minute.next() * MICROS_PER_MINUTE);
    scribe.from('cloud', person.number * ACTS_OF_PERSON + CONSOLE_ACT);
    const base = { person, host: null, session: null, truth: null, kind: 'use_cloud' } as const;
    scribe.act({ ...base, at, facts: cloudFacts(minute, grants, client, calls, 'console') });
  }
};
