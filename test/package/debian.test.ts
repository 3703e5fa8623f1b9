import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync, hasPrograms, needs, spawnSync } from '../support/programs.js';
import { ROOT } from '../support/sources.js';

/**
 * Installs what a release consists of in a Debian of its own. SPATE_TEST_DEBIAN names its root, a folder that is filled at
 * the first run (root rights, network, two minutes); CI does without it.
 *
 *     SPATE_TEST_DEBIAN=/var/tmp/bookworm npm test -- test/package/debian
 */
const root = resolve(process.env['SPATE_TEST_DEBIAN'] ?? '/');
const reason =
  process.env['SPATE_TEST_DEBIAN'] === undefined
    ? 'runs with SPATE_TEST_DEBIAN=FOLDER'
    : needs('debootstrap', 'chroot', 'npm', 'dpkg-deb', 'mount', 'umount');
const where =
  root !== '/' && hasPrograms('debootstrap', 'chroot', 'npm', 'dpkg-deb', 'mount', 'umount')
    ? describe
    : describe.skip;

const INCLUDED = 'adduser,systemd,procps,curl,man-db,groff-base';
const FIRST_EVENT_MS = 60_000;
const SET_UP_MS = 900_000;

/** Runs an instance until it is ready and has written to FILE; prints the time of that. */
const untilFirstEvent = (run: string, file: string): string => `set -e
start=$(date +%s%N)
${run} > /tmp/out.log 2> /tmp/err.log & pid=$!
for i in $(seq 600); do
  if curl -sf localhost:9474/api/ready > /dev/null && [ -s ${file} ]; then break; fi
  sleep 0.1
done
[ -s ${file} ] || { cat /tmp/err.log; exit 1; }
echo "first event after $((($(date +%s%N) - start) / 1000000)) ms"
kill $pid; wait $pid
`;

where(`a Debian of its own (${reason})`, () => {
  const work = mkdtempSync(join(tmpdir(), 'spate-debian-'));
  const inside = (script: string): string => {
    // Nothing of this machine, such as certificates and caches, is known inside.
    const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', LANG: 'C.UTF-8' };
    const { status, stdout, stderr } = spawnSync('chroot', [root, 'sh', '-c', script], {
      env,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${script}\nended with ${status}\n${stdout}\n${stderr}`);
    return stdout + stderr;
  };
  const files = (): readonly string[] =>
    inside('find / -xdev -not -path "/proc/*" -not -path "/tmp/*" -not -path "/root/*" | sort').split('\n');
  const timed = (text: string): number => Number(/first event after (\d+) ms/.exec(text)?.[1]);

  /** Debian 12 has an older Node: the one of the registry as the package that a newer Debian or NodeSource has. */
  const installNode = (version: string): void => {
    const node = execFileSync(process.execPath, ['.ci/nodes.mjs', version], { cwd: ROOT }).toString().trim();
    const stage = join(work, `nodejs-${version}`);
    mkdirSync(join(stage, 'DEBIAN'), { recursive: true });
    mkdirSync(join(stage, 'usr/bin'), { recursive: true });
    copyFileSync(node, join(stage, 'usr/bin/node'));
    const full = execFileSync(process.execPath, ['-p', 'process.versions.node']).toString();
    const control = `Package: nodejs\nVersion: ${version}.99\nArchitecture: amd64\nMaintainer: test <test@localhost>\nDescription: Node ${full}`;
    writeFileSync(join(stage, 'DEBIAN/control'), control);
    const deb = join(root, 'root', `nodejs-${version}.deb`);
    execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', stage, deb], { stdio: 'pipe' });
    inside(`dpkg -i /root/nodejs-${version}.deb`);
  };

  beforeAll(() => {
    if (!existsSync(join(root, 'usr/bin/man')))
      execFileSync('debootstrap', ['--variant=minbase', `--include=${INCLUDED}`, 'bookworm', root], {
        stdio: 'pipe',
      });
    mkdirSync(join(root, 'proc'), { recursive: true });
    if (!existsSync(join(root, 'proc/self')))
      execFileSync('mount', ['-t', 'proc', 'proc', join(root, 'proc')]);
    const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', work];
    const packed = join(work, execFileSync('npm', pack, { cwd: ROOT }).toString().trim());
    execFileSync(process.execPath, ['.ci/package.mjs', '--to', work, '--packed', packed, 'deb'], {
      cwd: ROOT,
      stdio: 'pipe',
    });
    copyFileSync(packed, join(root, 'root/spate.tgz'));
    copyFileSync(
      packed.replace(/spate-events-(.*)\.tgz$/, 'spate-events_$1_all.deb'),
      join(root, 'root/spate.deb'),
    );
    // What an installation downloads, and npm itself, which the registry's Node does not bring.
    const cache = join(root, 'root/cache');
    execFileSync('npm', ['install', '--silent', '--cache', cache, '--prefix', join(work, 'once'), packed]);
    execFileSync('npm', ['install', '--silent', '--prefix', join(work, 'npm'), 'npm@10']);
    rmSync(join(root, 'root/npm'), { recursive: true, force: true });
    const npm = join(work, 'npm/node_modules/npm');
    cpSync(npm, join(root, 'root/npm'), { recursive: true, verbatimSymlinks: true });
  }, SET_UP_MS);
  afterAll(() => {
    spawnSync('umount', [join(root, 'proc')]);
    rmSync(work, { recursive: true, force: true });
  });

  test.each(['20', '24'])('the npm package installs offline and makes events under Node %s', (version) => {
    installNode(version);
    inside('rm -rf /opt/spate /root/x /root/.npm');
    const npm = 'node /root/npm/bin/npm-cli.js --cache /root/cache --offline';
    expect(inside(`${npm} install -g --prefix /opt/spate /root/spate.tgz`)).toMatch(/^\s*added \d+ packages/);
    const said = inside(
      `cd /root && /opt/spate/bin/spate new x && ${untilFirstEvent('/opt/spate/bin/spate run -c x/spate.yml', 'x/generators/first/out/events.log')}`,
    );
    expect(timed(said)).toBeLessThan(FIRST_EVENT_MS);
    process.stderr.write(`Node ${version}: ${timed(said)} ms, ${inside('du -sh /opt/spate')}`);
    inside('rm -rf /opt/spate /root/x');
  });

  test('the Debian package installs, its unit verifies, events flow, and a purge leaves nothing', () => {
    const before = files();
    expect(inside('dpkg -i /root/spate.deb')).toContain('how to make the first generator');
    expect(inside('systemd-analyze verify --man=no spate.service')).toBe('');
    expect(inside('man -l --warnings /usr/share/man/man1/spate.1.gz > /dev/null')).toBe('');
    expect(inside('stat -c "%U %a" /etc/spate/spate.yml /var/lib/spate/state /var/log/spate')).toBe(
      'spate 640\nspate 750\nspate 750\n',
    );
    inside(`runuser -u spate -- spate init /var/lib/spate/generators/web --from web-nginx
      sed -i 's/^# - {id: web/- {id: web/' /etc/spate/startup.yml`);
    expect(inside('spate validate /etc/spate /var/lib/spate')).toContain('valid');
    const unit = inside('grep -o "/usr/bin/node.*" /usr/lib/systemd/system/spate.service').replaceAll(
      '"',
      '',
    );
    const run = `setpriv --reuid=spate --regid=spate --clear-groups ${unit.trim()}`;
    expect(timed(inside(untilFirstEvent(run, '/tmp/out.log')))).toBeLessThan(FIRST_EVENT_MS);
    expect(inside('dpkg -i /root/spate.deb 2>&1 && cat /etc/spate/startup.yml')).toContain('\n- {id: web');
    inside('dpkg --purge spate-events');
    const known =
      /^\/(?:var\/lib\/(?:dpkg|systemd)|var\/(?:cache|log)|etc\/(?:passwd|group|shadow|gshadow|subuid|subgid))/;
    expect(files().filter((path) => !before.includes(path) && !known.test(path))).toEqual([]);
    expect(inside('getent passwd spate || echo gone')).toBe('gone\n');
  });
});
