import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { runProgram } from '../../support/instance.js';
import { hasAnalyze, NEEDS_ANALYZE, verifyUnit } from '../../support/servers/systemd.js';
import { folderWith, GENERATOR } from '../support.js';

const SETTINGS = `server: {port: 9474}
generation: {}
log: {}
path: {logs: logs, startup: startup.yml, generators_dir: generators, keyring_cryptfile: secret/keyring, state: state}
`;

/** Stands in for systemctl: notes how it was called, and says what the test wants. */
const SYSTEMCTL = `#!/bin/sh
echo "$*" >> "$CALLS"
case "$*" in
  *daemon-reload*) [ -z "$NO_SYSTEMD" ] || { echo "System has not been booted with systemd" >&2; exit 1; } ;;
  *show*) printf 'ActiveState=active\\nSubState=running\\nUnitFileState=enabled\\nStatusText=listens on http://x\\n' ;;
esac
`;

/** A folder with an instance, a home and a systemctl of its own. */
const world = async (more: Readonly<Record<string, string>> = {}) => {
  const folder = await folderWith({
    'instance/spate.yml': SETTINGS,
    'instance/startup.yml': '- {id: a, path: a/generator.yml}\n',
    'instance/generators/a/generator.yml': GENERATOR.replace(
      'path: out.log',
      'path: "../../../elsewhere/{date}/out.log"',
    ),
    'bin/systemctl': SYSTEMCTL,
    ...more,
  });
  await chmod(join(folder, 'bin', 'systemctl'), 0o755);
  const units = join(folder, 'units');
  const spate = async (args: string, env: NodeJS.ProcessEnv = {}) => {
    const program = runProgram(['service', ...args.split(' ')], {
      cwd: join(folder, 'instance'),
      env: {
        PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
        CALLS: join(folder, 'calls'),
        SYSTEMD_UNIT_PATH: units,
        HOME: join(folder, 'home'),
        XDG_CONFIG_HOME: '',
        ...env,
      },
    });
    const { code } = await program.exited;
    return { code, out: program.stdout(), err: program.stderr() };
  };
  const calls = async (): Promise<readonly string[]> =>
    (await readFile(join(folder, 'calls'), 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  const file = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');
  return { folder, units, spate, calls, file };
};

const names = async (folder: string): Promise<readonly string[]> => (await readdir(folder)).sort();

describe('spate service install', () => {
  test('writes the unit, creates its folders, reloads systemd and prints the next steps', async () => {
    const { folder, units, spate, calls, file } = await world();
    const { code, out } = await spate('install -c spate.yml');
    expect(code).toBe(0);
    expect(out).toContain(`Wrote ${units}/spate.service`);
    expect(out).toContain('  systemctl enable --now spate\n');
    expect(await calls()).toEqual(['daemon-reload']);
    const unit = await file('units/spate.service');
    expect(unit).toContain(`run --config "${folder}/instance/spate.yml"`);
    expect(unit).toContain(`ReadWritePaths="${folder}/elsewhere" "${folder}/instance"\n`);
    for (const made of ['elsewhere', 'instance/logs', 'instance/secret', 'instance/state']) {
      expect(await names(join(folder, made))).toEqual([]);
      expect(out).toContain(`Created ${join(folder, made)}\n`);
    }
  });

  test('--print shows it and touches nothing', async () => {
    const { folder, spate, calls } = await world();
    const before = await names(folder);
    const { code, out } = await spate('install -c spate.yml --print');
    expect(code).toBe(0);
    expect(out).toMatch(/^# Written by "spate service install".*\nExecStart=:"/s);
    expect(await names(folder)).toEqual(before);
    expect(await calls()).toEqual([]);
  });

  (hasAnalyze ? test : test.skip)(
    `what it prints for this machine has nothing wrong ${NEEDS_ANALYZE}`,
    async () => {
      const { spate } = await world();
      for (const args of ['install -c spate.yml --print', 'install -c spate.yml --print --user']) {
        expect(verifyUnit((await spate(args)).out)).toBe('');
      }
    },
  );

  test('--user writes a unit of the person, by default for ~/.config/spate/spate.yml', async () => {
    const { folder, spate, calls, file } = await world({
      'home/.config/spate/spate.yml': SETTINGS,
      'home/.config/spate/startup.yml': '[]',
    });
    const { code, out } = await spate('install --user', { SYSTEMD_UNIT_PATH: '' });
    expect(code).toBe(0);
    expect(out).toContain('systemctl --user enable --now spate\n');
    expect(out).toContain('loginctl enable-linger');
    expect(await calls()).toEqual(['--user daemon-reload']);
    const unit = await file('home/.config/systemd/user/spate.service');
    expect(unit).toContain(`"${folder}/home/.config/spate/spate.yml"`);
    expect(unit).not.toContain('ProtectSystem');
    const made = [
      'destinations',
      'generators',
      'incidents',
      'logs',
      'secret',
      'spate.yml',
      'startup.yml',
      'state',
    ];
    expect(await names(join(folder, 'home/.config/spate'))).toEqual(made);
  });

  test('hands over a password file that exists', async () => {
    const { folder, spate } = await world({ 'instance/pass word': 'x' });
    const { out } = await spate('install -c spate.yml --print --keyring-password-credential ./pass');
    expect(out).toBe('');
    await writeFile(join(folder, 'instance/pass'), 'x');
    const given = await spate('install -c spate.yml --print --keyring-password-credential ./pass');
    expect(given.out).toContain(`LoadCredential=spate-keyring-password:${folder}/instance/pass\n`);
  });

  test('of a node passes the cluster file on and needs no startup file', async () => {
    const { folder, spate } = await world({
      'instance/cluster.yml': 'nats: {servers: ["nats://10.0.0.1:4222"], credentials_file: user.creds}\n',
    });
    await rm(join(folder, 'instance/startup.yml'));
    expect((await spate('install -c spate.yml')).code).toBe(1);
    const { code, out } = await spate('install -c spate.yml --cluster cluster.yml');
    expect(code).toBe(0);
    expect(out).toContain(` with ${folder}/instance/spate.yml and ${folder}/instance/cluster.yml\n`);
    expect((await spate('status')).out).toContain(
      `settings  ${folder}/instance/spate.yml\ncluster   ${folder}/instance/cluster.yml\n`,
    );
    const printed = await spate('install -c spate.yml --cluster cluster.yml --print');
    expect(printed.out).toContain(` --cluster "${folder}/instance/cluster.yml"\n`);
  });

  test('refuses a cluster file with which a start would fail', async () => {
    const { units, spate } = await world({ 'instance/cluster.yml': 'nats: {servers: []}\n' });
    const { code, err } = await spate('install -c spate.yml --cluster cluster.yml');
    expect([code, err]).toEqual([1, expect.stringContaining('cluster.yml:1:8: nats.servers: ')]);
    expect((await spate('install -c spate.yml --cluster nothing.yml')).code).toBe(1);
    await expect(stat(units)).rejects.toThrow('ENOENT');
  });

  test('replaces its own unit, but a foreign one only with --force', async () => {
    const { units, spate, file, calls } = await world();
    expect((await spate('install -c spate.yml --name x')).code).toBe(0);
    expect((await spate('install -c spate.yml --name x')).code).toBe(0);
    await writeFile(join(units, 'x.service'), '[Unit]\nDescription=precious\n');
    const refused = await spate('install -c spate.yml --name x');
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(`${units}/x.service was not written by Spate`);
    expect(await file('units/x.service')).toContain('precious');
    expect(await calls()).toHaveLength(2);
    expect((await spate('install -c spate.yml --name x --force')).code).toBe(0);
    expect(await file('units/x.service')).not.toContain('precious');
  });

  test('refuses files with which a start would fail, with their places', async () => {
    const { folder, units, spate } = await world({ 'instance/startup.yml': '- {id: a}\n' });
    await writeFile(join(folder, 'instance/spate.yml'), SETTINGS.replace('9474', '-1'));
    const { code, err } = await spate('install -c spate.yml');
    expect(code).toBe(1);
    expect(err).toContain('spate.yml:1:16: server.port: ');
    expect((await spate('install -c nothing.yml')).code).toBe(1);
    await expect(stat(units)).rejects.toThrow('ENOENT');
  });

  test('succeeds with a note where systemd does not run', async () => {
    const { spate } = await world();
    const { code, err } = await spate('install -c spate.yml', { NO_SYSTEMD: '1' });
    expect(code).toBe(0);
    expect(err).toContain('System has not been booted with systemd. Where it runs: systemctl daemon-reload');
  });

  test.each([
    ['install -c spate.yml --name ../x', '--name must'],
    ['install -c spate.yml --user --run-as me', '--run-as applies to system units only'],
    ['install -c spate.yml --run-as no-such-user-here', 'there is no user "no-such-user-here"'],
    ['install -c spate.yml --keyring-password-credential missing', 'is not a file'],
  ])('%s is refused', async (args, reason) => {
    const { units, spate } = await world();
    const { code, err } = await spate(args);
    expect([code, err]).toEqual([1, expect.stringContaining(reason)]);
    await expect(stat(units)).rejects.toThrow('ENOENT');
  });
});

describe('spate service uninstall', () => {
  test('stops and disables the service and removes the unit; everything else stays', async () => {
    const { folder, units, spate, calls } = await world();
    await spate('install -c spate.yml');
    const before = await names(join(folder, 'instance'));
    const { code, out } = await spate('uninstall');
    expect([code, out]).toEqual([0, `Removed ${units}/spate.service\n`]);
    expect(await calls()).toEqual(['daemon-reload', 'disable --now spate.service', 'daemon-reload']);
    expect(await names(units)).toEqual([]);
    expect(await names(join(folder, 'instance'))).toEqual(before);
  });

  test('of what is not installed, or not ours, is an error', async () => {
    const { units, spate, calls } = await world();
    expect(await spate('uninstall')).toMatchObject({
      code: 1,
      err: expect.stringContaining('not installed'),
    });
    await mkdir(units);
    await writeFile(join(units, 'spate.service'), '[Unit]\n');
    expect(await spate('uninstall')).toMatchObject({ code: 1, err: expect.stringContaining('--force') });
    expect(await calls()).toEqual([]);
    expect((await spate('uninstall --force')).code).toBe(0);
  });
});

describe('spate service status', () => {
  test('shows the unit, its settings and what systemd says; exit 4 as systemctl when it is not installed', async () => {
    const { folder, units, spate } = await world();
    expect(await spate('status')).toMatchObject({
      code: 4,
      out: `not installed: there is no ${units}/spate.service\n`,
    });
    await spate('install -c spate.yml');
    expect((await spate('status')).out).toBe(`unit      ${units}/spate.service
settings  ${folder}/instance/spate.yml
active    active (running)
enabled   enabled
status    listens on http://x
`);
  });
});
