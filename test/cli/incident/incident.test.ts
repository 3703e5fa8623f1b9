import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { runProgram } from '../../support/instance.js';
import { folderWith } from '../support.js';

const ROOT = process.cwd();
const START = ['--start', '2026-01-05T08:00:00Z'];
const SAMPLE = ['--seed', '7', '--live-mode', 'false', ...START];

const spate = async (args: readonly string[], cwd: string) => {
  const program = runProgram(['incident', ...args], { cwd });
  const { code } = await program.exited;
  return { code, out: program.stdout(), err: program.stderr() };
};

const linesOf = async (cwd: string, path: string): Promise<readonly string[]> =>
  (await readFile(join(cwd, path), 'utf8')).split('\n').filter((line) => line !== '');

interface Truth {
  readonly at: string;
  readonly generator: string;
  readonly event: number;
  readonly mark: string;
  readonly incident: string;
  readonly phase: string;
  readonly entities: {
    readonly thief: { readonly ip: string; readonly port: number; readonly name: string };
  };
}

const truthOf = async (cwd: string, member: string): Promise<readonly Truth[]> =>
  (await linesOf(cwd, `incidents/${member}.truth`)).map((line) => JSON.parse(line) as Truth);

const MEMBER = `
input:
  - cron: {expression: '* * * * * *', count: 2}
event:
  template:
    mode: chance
    templates:
      - usual: {template: usual.jinja, chance: 1}
      - attack: {template: attack.jinja, chance: 0.000001}
output:
  - file: {path: events.log, write_mode: overwrite}
`;

const INCIDENT = `
summary: Knocks, then takes.
duration: 60s
members:
  door: {path: ../door}
  safe: {path: ../safe}
entities:
  thief:
    ip: {address: 198.51.100.0/24}
    port: {number: [1024, 65535]}
    name: {pick: [ana, bob, cem]}
phases:
  - name: knocks
    at: 10s
    for: 10s
    repeat: {times: 2, every: 20s}
    globals: {alarm: true}
    members:
      door:
        events: 5
        templates: [attack]
        globals: {thief: '\${thief}', line: 'from \${thief.ip}:\${thief.port}'}
  - name: takes
    at: 40s
    for: 10s
    stopped: [door]
    members:
      safe:
        events: 4
        templates: [attack]
        globals: {thief: '\${thief}', line: 'by \${thief.name}'}
marks: text
ground_truth:
  file: {path: '{member}.truth', write_mode: overwrite}
`;

const USUAL =
  '{{ timestamp.isoformat() }} usual {{ globals.get("alarm", false) }} {{ globals.get("line", "-") }}';
const ATTACK =
  '{{ timestamp.isoformat() }} attack {{ globals.get("alarm", false) }} {{ globals.get("line") }}';

const folderOf = (incident = INCIDENT) =>
  folderWith(
    Object.fromEntries([
      ...['door', 'safe'].flatMap((name) => [
        [`${name}/generator.yml`, MEMBER],
        [`${name}/usual.jinja`, USUAL],
        [`${name}/attack.jinja`, ATTACK],
      ]),
      ['incidents/theft.yml', incident],
    ]) as Record<string, string>,
  );

const run = async (cwd: string, ...more: readonly string[]) =>
  spate(['run', 'incidents/theft.yml', ...SAMPLE, ...more], cwd);

const markOf = (line: string): string => (/spate=([0-9a-f]{8}:\d+)/.exec(line) ?? [])[1] ?? '';

describe('spate incident run', () => {
  test('phases add their events, and the ground truth lists exactly these, by mark', async () => {
    const cwd = await folderOf();
    const { code, err } = await run(cwd);
    expect({ code, err: err.includes('incident theft, seed 7') }).toEqual({ code: 0, err: true });
    for (const [member, phase, count] of [
      ['door', 'knocks', 10],
      ['safe', 'takes', 4],
    ] as const) {
      const events = await linesOf(cwd, `${member}/events.log`);
      const attacks = events.filter((line) => line.includes(' attack '));
      const truth = await truthOf(cwd, member);
      expect(attacks).toHaveLength(count);
      expect(truth.map(({ mark }) => mark)).toEqual(attacks.map(markOf));
      expect(truth.map(({ at }) => at)).toEqual(attacks.map((line) => line.split(' ')[0]));
      expect(truth.map(({ event }) => event)).toEqual(attacks.map((line) => events.indexOf(line) + 1));
      for (const one of truth) expect(one).toMatchObject({ generator: member, incident: 'theft', phase });
    }
  });

  test('entities are drawn once, and all members see the same', async () => {
    const cwd = await folderOf();
    await run(cwd);
    const [door, safe] = await Promise.all([truthOf(cwd, 'door'), truthOf(cwd, 'safe')]);
    const { thief } = (door[0] as Truth).entities;
    for (const { entities } of [...door, ...safe]) expect(entities.thief).toEqual(thief);
    const knocks = await linesOf(cwd, 'door/events.log');
    expect(knocks.filter((line) => line.includes(`from ${thief.ip}:${thief.port}`))).toHaveLength(10);
    const takes = await linesOf(cwd, 'safe/events.log');
    expect(takes.filter((line) => line.includes(`by ${thief.name}`))).toHaveLength(4);
  });

  test('globals of a phase hold for all events meanwhile, and a stopped member is silent', async () => {
    const cwd = await folderOf();
    await run(cwd);
    const secondsOf = (lines: readonly string[]) => new Set(lines.map((line) => Number(line.slice(17, 19))));
    const usual = (await linesOf(cwd, 'door/events.log')).filter((line) => line.includes(' usual '));
    const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
    expect([...secondsOf(usual)]).toEqual([...range(0, 40), ...range(50, 60)]);
    expect([...secondsOf(usual.filter((line) => / usual true/i.test(line)))]).toEqual([
      ...range(10, 20),
      ...range(30, 40),
    ]);
    // Values for the events of a phase are hidden from the others.
    for (const line of usual) expect(line).toMatch(/ - spate=/);
  });

  test('the same seed gives the same events byte for byte, another seed another one', async () => {
    const [first, second, third] = await Promise.all([folderOf(), folderOf(), folderOf()]);
    await Promise.all([run(first), run(second), run(third, '--seed', '8')]);
    const files = ['door/events.log', 'safe/events.log', 'incidents/door.truth', 'incidents/safe.truth'];
    const bytes = (cwd: string) => Promise.all(files.map((file) => readFile(join(cwd, file), 'utf8')));
    expect(await bytes(first)).toEqual(await bytes(second));
    expect((await truthOf(third, 'door'))[0]?.entities).not.toEqual(
      (await truthOf(first, 'door'))[0]?.entities,
    );
  });

  test('a phase changes rate and outputs of a member, and adds events by inputs of its own', async () => {
    const changed = INCIDENT.replace(
      'stopped: [door]\n    members:',
      `members:
      door:
        rate_factor: 4
        output: [{file: {path: elsewhere.log, write_mode: overwrite}}]
        input: [{cron: {expression: '*/5 * * * * *', count: 3}}]
        templates: [attack]`,
    );
    const cwd = await folderOf(changed);
    expect(await run(cwd)).toMatchObject({ code: 0 });
    const elsewhere = await linesOf(cwd, 'incidents/elsewhere.log');
    const own = await linesOf(cwd, 'door/events.log');
    const added = elsewhere.filter((line) => line.includes(' attack '));
    expect(added.map((line) => line.slice(17, 19))).toEqual(['40', '40', '40', '45', '45', '45']);
    // Eight a second instead of two, for ten seconds; the other fifty seconds are as ever.
    expect(elsewhere.filter((line) => line.includes(' usual '))).toHaveLength(80);
    expect(own.filter((line) => line.includes(' usual '))).toHaveLength(100);
    const takes = (await truthOf(cwd, 'door')).filter(({ phase }) => phase === 'takes');
    expect(takes.map(({ mark }) => mark)).toEqual(added.map(markOf));
  });

  test('entities are picked from CSV and JSON files', async () => {
    const cwd = await folderOf(
      INCIDENT.replace('pick: [ana, bob, cem]', 'pick: people.csv')
        .replace('number: [1024, 65535]', 'pick: ports.json')
        .replace('${thief.name}', '${thief.name.login}'),
    );
    const { writeFile } = await import('node:fs/promises');
    await writeFile(join(cwd, 'incidents/ports.json'), '[8022]');
    const missing = await run(cwd);
    expect([missing.code, missing.err]).toEqual([
      1,
      expect.stringMatching(/entities: pick people\.csv: the file does not exist/),
    ]);
    await writeFile(join(cwd, 'incidents/people.csv'), 'login,name\nann,"Ann, A."\n');
    expect(await run(cwd)).toMatchObject({ code: 0 });
    const [truth] = await truthOf(cwd, 'door');
    expect(truth?.entities.thief).toMatchObject({ port: 8022, name: { login: 'ann', name: 'Ann, A.' } });
    expect((await linesOf(cwd, 'safe/events.log')).filter((line) => line.includes('by ann '))).toHaveLength(
      4,
    );
  });

  test('live, a phase comes at its time', async () => {
    const live = INCIDENT.replace('duration: 60s', 'duration: 3s')
      .replace('at: 10s\n    for: 10s\n    repeat: {times: 2, every: 20s}', 'at: 1s\n    for: 1s')
      .replace('at: 40s\n    for: 10s', 'at: 2s\n    for: 1s');
    const cwd = await folderOf(live);
    expect((await spate(['run', 'incidents/theft.yml', '--seed', '7'], cwd)).code).toBe(0);
    expect(await truthOf(cwd, 'door')).toHaveLength(5);
    expect(await truthOf(cwd, 'safe')).toHaveLength(4);
    const attacks = (await linesOf(cwd, 'door/events.log')).filter((line) => line.includes(' attack '));
    expect(attacks).toHaveLength(5);
  });

  test('live, what is due before the members are up comes late and is not skipped', async () => {
    const live = INCIDENT.replace('duration: 60s', 'duration: 1s')
      .replace('at: 10s\n    for: 10s\n    repeat: {times: 2, every: 20s}', 'at: 1ms\n    for: 2ms')
      .replace('at: 40s\n    for: 10s', 'at: 3ms\n    for: 1ms');
    const cwd = await folderOf(live);
    expect(await spate(['run', 'incidents/theft.yml', '--seed', '7'], cwd)).toMatchObject({ code: 0 });
    expect(await truthOf(cwd, 'door')).toHaveLength(5);
    expect(await truthOf(cwd, 'safe')).toHaveLength(4);
  });

  interface LibraryEvent {
    readonly spate: string;
    readonly host?: { readonly name: string };
    readonly source?: { readonly domain?: string; readonly ip?: string };
    readonly user?: { readonly name: string };
    readonly event?: { readonly action?: string };
    readonly labels?: { readonly anomaly?: string };
  }

  /** Runs an incident of the library. Returns its truth by member, and the events of which the library itself says that they are of an attack. */
  const runOfLibrary = async (name: string, change: (text: string) => string = (text) => text) => {
    const text = await readFile(join(ROOT, 'incidents', `${name}.yml`), 'utf8');
    const truthFile = `'out/${name}/{member}.truth.jsonl'`;
    const moved = change(text).replaceAll('../generators/', `${ROOT}/generators/`);
    const cwd = await folderWith({ 'incident.yml': moved.replace(truthFile, "'{member}.truth'") });
    const { code, out } = await spate(['run', 'incident.yml', ...SAMPLE], cwd);
    expect(code).toBe(0);
    const attacks = out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as LibraryEvent)
      .filter(({ labels }) => labels?.anomaly !== undefined && labels.anomaly !== 'none');
    const truthBy = async (member: string): Promise<readonly Truth[]> =>
      (await linesOf(cwd, `${member}.truth`)).map((line) => JSON.parse(line) as Truth);
    return { attacks, truthBy };
  };

  /** Fewer people than the 200 of the library: an attack is the same, and the events around it are what takes long. */
  const withPeople =
    (people: number) =>
    (text: string): string =>
      text.replaceAll(/(path: \.\.[^}]+)\}/g, `$1, params: {people: ${people}}}`);

  const libraryMark = ({ spate: mark }: LibraryEvent): string => mark.split(':').slice(0, 2).join(':');

  test('a brute force, copied tables and a theft of data over two generators of the library', async () => {
    const { attacks, truthBy } = await runOfLibrary('shop-theft', withPeople(40));
    const truth = [...(await truthBy('database')), ...(await truthBy('web'))];
    expect((await truthBy('database')).length).toBeGreaterThan(500);
    expect((await truthBy('web')).length).toBeGreaterThan(50);
    expect(new Set(attacks.map(({ source }) => source?.ip)).size).toBe(1);
    expect(attacks.map(libraryMark).sort()).toEqual(truth.map(({ mark }) => mark).sort());
  });

  test('a take-over of accounts: the same people from the same addresses in four sources of one world', async () => {
    const { attacks, truthBy } = await runOfLibrary('account-takeover', withPeople(20));
    const truths = await Promise.all(['vpn', 'firewall', 'sso', 'windows'].map(truthBy));
    expect(truths.map(({ length }) => length > 0)).toEqual([true, true, true, true]);
    const marksOf = (truth: readonly Truth[]): ReadonlySet<string> => new Set(truth.map(({ mark }) => mark));
    const [vpn = [], firewall = [], sso = []] = truths.map((truth) => {
      const marks = marksOf(truth);
      return attacks.filter((event) => marks.has(libraryMark(event)));
    });
    const usersOf = (events: readonly LibraryEvent[]) => new Set(events.map(({ user }) => user?.name));
    const addressesOf = (events: readonly LibraryEvent[]) => new Set(events.map(({ source }) => source?.ip));
    expect([...usersOf(sso)].filter((name) => !usersOf(vpn).has(name))).toEqual([]);
    for (const others of [firewall, sso])
      expect(
        [...addressesOf(others)].filter((ip) => ip?.startsWith('198.') === true && !addressesOf(vpn).has(ip)),
      ).toEqual([]);
  });

  test('a theft of keys in the cloud: accounts of the single sign-on, their sessions, new keys and the cluster in one world', async () => {
    const { attacks, truthBy } = await runOfLibrary('cloud-key-theft', withPeople(40));
    const truths = await Promise.all(['sso', 'cloud', 'cluster'].map(truthBy));
    expect(truths.map(({ length }) => length > 0)).toEqual([true, true, true]);
    const [sso = [], cloud = [], cluster = []] = truths.map((truth) => {
      const marks = new Set(truth.map(({ mark }) => mark));
      return attacks.filter((event) => marks.has(libraryMark(event)));
    });
    const addresses = new Set(sso.map(({ source }) => source?.ip));
    const actionsOf = (action: string) => cloud.filter(({ event }) => event?.action === action);
    const isKnown = ({ source }: LibraryEvent): boolean => addresses.has(source?.ip);
    const signIns = actionsOf('AssumeRoleWithSAML');
    expect(signIns.length).toBeGreaterThan(0);
    expect(signIns.every(isKnown)).toBe(true);
    expect(actionsOf('CreateAccessKey').some(isKnown)).toBe(true);
    // What has a key of its own is used from elsewhere.
    expect(cloud.every(isKnown)).toBe(false);
    const elsewhere = new Set(cloud.filter((event) => !isKnown(event)).map(({ source }) => source?.ip));
    const thieves = cluster.filter(
      ({ user, source }) => user?.name.includes('@') === true && elsewhere.has(source?.ip),
    );
    expect(thieves.length).toBeGreaterThan(10);
  });

  test('ransomware after a lure: those who open the link are the first, in five sources of one world', async () => {
    const { attacks, truthBy } = await runOfLibrary('ransomware', withPeople(20));
    const members = ['mail', 'windows', 'sysmon', 'dns', 'firewall'] as const;
    const truths = await Promise.all(members.map(truthBy));
    expect(truths.map(({ length }) => length > 0)).toEqual([true, true, true, true, true]);
    expect(attacks.map(libraryMark).sort()).toEqual(
      truths.flatMap((truth) => truth.map(({ mark }) => mark)).sort(),
    );
    const machinesOf = (member: (typeof members)[number], anomaly: string): ReadonlySet<string> => {
      const marks = new Set(truths[members.indexOf(member)]?.map(({ mark }) => mark));
      const names = attacks
        .filter((event) => marks.has(libraryMark(event)) && event.labels?.anomaly === anomaly)
        .map(({ host, source }) => host?.name ?? source?.domain ?? '');
      return new Set(names.map((one) => one.split('.')[0] ?? '').filter((one) => one.startsWith('ws-')));
    };
    const [windows, firewall] = [machinesOf('windows', 'ransomware'), machinesOf('firewall', 'ransomware')];
    const sysmon = machinesOf('sysmon', 'ransomware');
    expect(windows.size).toBeGreaterThan(2);
    expect(firewall.size).toBeGreaterThan(2);
    expect([...windows, ...firewall].filter((one) => !sysmon.has(one))).toEqual([]);
    expect(new Set(attacks.map(({ labels }) => labels?.anomaly))).toEqual(
      new Set(['phishing', 'ransomware']),
    );
    const lured = machinesOf('sysmon', 'phishing');
    expect(lured.size).toBeGreaterThan(0);
    expect([...lured].filter((one) => !sysmon.has(one))).toEqual([]);
  });
});

describe('what is refused', () => {
  const refused = async (change: (text: string) => string): Promise<string> => {
    const cwd = await folderOf(change(INCIDENT));
    const { code, err } = await run(cwd);
    expect(code).toBe(1);
    return err;
  };

  test.each([
    [
      'an unknown template',
      ['templates: [attack]', 'templates: [atack]'],
      "names 'atack', which is no template of this member. Did you mean 'attack'?",
    ],
    [
      'an unknown member',
      ['stopped: [door]', 'stopped: [dor]'],
      "names 'dor', which is no member. Did you mean 'door'?",
    ],
    ['an unknown entity', ['${thief.ip}', '${thief.address}'], 'uses ${thief.address}'],
    ['a phase twice', ['name: takes', 'name: knocks'], "'knocks' is there twice"],
    ['a phase after the end', ['at: 40s', 'at: 2m'], 'is after the end of the incident'],
    ['a bad draw', ['address: 198.51.100.0/24', 'address: 198.51.100.0/40'], 'address needs an IPv4 network'],
    ['a bad duration', ['for: 10s', 'for: soon'], 'must be a duration such as 90s'],
    [
      'an output that does not exist',
      ["file: {path: '{member}.truth'", "fil: {path: '{member}.truth'"],
      'fil',
    ],
  ] as const)('%s, with its place', async (_, [from, to], message) => {
    expect(await refused((text) => text.replace(from, to))).toContain(message);
  });

  test.each([
    ['static', 'static: {count: 5}'],
    ['time_patterns', 'time_patterns: {patterns: [day.yml]}'],
  ])('an input %s, which cannot be given an end', async (kind, input) => {
    const cwd = await folderOf();
    const { writeFile } = await import('node:fs/promises');
    await writeFile(join(cwd, 'safe/generator.yml'), MEMBER.replace(/cron: .*/, input));
    const { code, err } = await run(cwd);
    expect({ code, isTold: err.includes(`its input \`${kind}\` has no end`) }).toEqual({
      code: 1,
      isTold: true,
    });
  });
});

test('spate incident preview shows entities and timeline', async () => {
  const cwd = await folderOf();
  const { code, out } = await spate(['preview', 'incidents/theft.yml', '--seed', '7', ...START], cwd);
  expect(code).toBe(0);
  expect(out).toContain('incident theft, seed 7');
  expect(out).toMatch(/ {2}thief \{"ip":"198\.51\.100\.\d+","port":\d+,"name":"\w+"\}/);
  expect(out).toContain('2026-01-05T08:00:10Z  knocks (1 of 2): door 5 events, until 2026-01-05T08:00:20Z');
  expect(out).toContain(
    '2026-01-05T08:00:40Z  takes: safe 4 events, door is silent, until 2026-01-05T08:00:50Z',
  );
  expect(out).toContain('2026-01-05T08:01:00Z  ends');
});
