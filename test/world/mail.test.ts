import { describe, expect, test } from '@jest/globals';
import type { Activity } from '../../src/world/activity/kinds.js';
import type { MailMessage, MailStep } from '../../src/world/activity/mail/mailMessage.js';
import { makeWorld } from '../../src/world/makeWorld.js';
import { DEFAULT_WORLD } from '../../src/world/spec.js';

/** A Monday morning. */
const FROM = Date.parse('2026-03-02T09:00:00Z') / 60_000;
const world = makeWorld({ ...DEFAULT_WORLD, people: 100 });
const activities: readonly Activity[] = Array.from({ length: 40 }, (_, minute) =>
  world.lookAt({ kinds: ['send_mail', 'receive_mail', 'connection', 'browse', 'message', 'mail_step'] })(
    FROM + minute,
  ),
).flat();

const mailOf = ({ facts }: Activity): MailMessage => facts['mail'] as MailMessage;
const stepOf = ({ facts }: Activity): MailStep => facts['step'] as MailStep;
const sessions = new Map<string, Activity[]>();
for (const one of activities.filter(({ kind }) => kind === 'mail_step')) {
  const key = one.session ?? '';
  const before = sessions.get(key);
  if (before === undefined) sessions.set(key, [one]);
  else before.push(one);
}
/** Those that begin and end while we look. */
const whole = [...sessions.values()].filter(
  (steps) =>
    stepOf(steps[0] as Activity) === 'connect' && steps.length === mailOf(steps[0] as Activity).steps.length,
);
const byId = new Map(activities.map((one) => [one.id, one]));

describe('the mail of a world', () => {
  test('passes the gateway step by step, each later than the one before', () => {
    expect(whole.length).toBeGreaterThan(400);
    for (const steps of whole) {
      expect(steps.map(stepOf)).toEqual(mailOf(steps[0] as Activity).steps);
      expect(steps.every(({ at }, index) => index === 0 || at > (steps[index - 1] as Activity).at)).toBe(
        true,
      );
      expect(new Set(steps.map(mailOf)).size).toBe(1);
      const queued = steps.find((one) => stepOf(one) === 'queue')?.at ?? null;
      expect(steps.at(-1)?.facts['queued_at'] ?? null).toBe(queued);
    }
  });

  test('has each recipient of a message served once', () => {
    for (const steps of whole) {
      const served = steps.filter((one) => stepOf(one) === 'deliver').map(({ facts }) => facts['recipient']);
      const { to, steps: planned } = mailOf(steps[0] as Activity);
      expect(served).toEqual(planned.includes('deliver') ? to : []);
    }
  });

  test('comes from the address that its sender has then, as the connection to the mail server does', () => {
    const sent = activities.filter(({ kind }) => kind === 'send_mail');
    const effects = (kind: string): ReadonlyMap<number | null, Activity> =>
      new Map(activities.filter((one) => one.kind === kind).map((one) => [one.cause, one]));
    const [messages, connections] = [effects('message'), effects('connection')];
    let seen = 0;
    for (const { id, person } of sent) {
      const [message, connection] = [messages.get(id), connections.get(id)];
      if (message === undefined || connection === undefined) continue;
      seen++;
      expect(message.facts['ip']).toBe(connection.facts['ip']);
      expect(message.facts['from']).toBe(person?.email);
    }
    expect(seen).toBeGreaterThan(60);
  });

  test('is refused for a reason, and has a score that fits its verdict', () => {
    const verdicts = new Set<string>();
    for (const [first] of whole) {
      const mail = mailOf(first as Activity);
      verdicts.add(mail.steps.includes('queue') ? mail.verdict : (mail.refusal ?? 'greylist'));
      const { score, verdict } = mail;
      const least = { deliver: -9, tag: 0.7, quarantine: 1, reject: 2.5 }[verdict];
      expect(score).toBeGreaterThanOrEqual(least);
      expect(mail.dmarc === 'pass' && mail.spf !== 'pass' && mail.dkim !== 'pass').toBe(false);
    }
    for (const verdict of ['deliver', 'quarantine', 'reject', 'blocklist', 'greylist', 'unknown-mailbox'])
      expect(verdicts).toContain(verdict);
  });

  test('has more spam than letters at night, and both by day', () => {
    const sorts = (text: string): ReadonlyMap<string, number> => {
      const counts = new Map<string, number>();
      const from = Date.parse(text) / 60_000;
      for (let minute = 0; minute < 30; minute++)
        for (const { facts, truth } of world
          .lookAt({ kinds: ['receive_mail'] })(from + minute)
          .filter(({ kind }) => kind === 'receive_mail'))
          if (truth === null) counts.set(String(facts['sort']), (counts.get(String(facts['sort'])) ?? 0) + 1);
      return counts;
    };
    const [night, day] = [sorts('2026-03-03T02:00:00Z'), sorts('2026-03-03T10:00:00Z')];
    expect(night.get('spam') ?? 0).toBeGreaterThan(4 * (night.get('business') ?? 0));
    expect(day.get('business') ?? 0).toBeGreaterThan(3 * (night.get('business') ?? 0));
    expect([...day.keys()].sort()).toEqual(['bulk', 'business', 'lure', 'notice', 'spam', 'stray']);
  });

  test('shows whoever opens a link of a lure, with the domain of its sender', () => {
    const lures = new Set(
      activities
        .filter(({ kind, truth }) => kind === 'receive_mail' && truth?.attack === 'phishing')
        .map(({ facts }) => String(facts['from']).split('@')[1] ?? ''),
    );
    const opened = activities.filter(({ kind, truth }) => kind === 'browse' && truth?.attack === 'phishing');
    expect(opened.length).toBeGreaterThan(0);
    for (const { facts } of opened) expect(lures).toContain(String(facts['name']).replace(/^www\./, ''));
    expect(opened.every(({ id }) => byId.has(id))).toBe(true);
  });

  test('has domains of lures that look like others: no longer, and without numbers', () => {
    const look = makeWorld(DEFAULT_WORLD).lookAt({ kinds: ['dns_query'], attacks: new Set(['phishing']) });
    const questions = Array.from({ length: 120 }, (_, minute) => look(FROM + minute)).flat();
    const domainsOf = (some: readonly Activity[]): readonly string[] => [
      ...new Set(some.map(({ facts }) => String(facts['name']).split('.').slice(-2).join('.'))),
    ];
    const lures = domainsOf(questions.filter(({ truth }) => truth !== null));
    const lengths = new Set(
      domainsOf(questions.filter(({ truth }) => truth === null)).map(({ length }) => length),
    );
    expect(lures.length).toBeGreaterThan(10);
    expect(lures.filter((domain) => !lengths.has(domain.length) || /\d/.test(domain))).toEqual([]);
  });

  test('has ransomware begin with those who opened the link of a lure before', () => {
    // So many that hardly one of them would be hit by chance.
    const large = makeWorld({ ...DEFAULT_WORLD, people: 3_000 });
    const first = Math.floor(FROM / 20);
    const usersOf = (acts: readonly Pick<Activity, 'person'>[]): ReadonlySet<string> =>
      new Set(acts.flatMap(({ person }) => person?.user ?? []));
    let lured = 0;
    for (let campaign = first; campaign < first + 6; campaign++) {
      const opened = large.campaign('phishing', campaign).filter(({ kind }) => kind === 'browse');
      const struck = usersOf(large.campaign('ransomware', campaign + 1));
      const missed = [...usersOf(opened)].filter((user) => !struck.has(user));
      // Some go home in between.
      expect(missed.length).toBeLessThanOrEqual(1);
      lured += usersOf(opened).size;
    }
    expect(lured).toBeGreaterThan(10);
  });
});
