import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import {
  clusterOfUnit,
  isOurUnit,
  STOP_TIMEOUT_SECONDS,
  settingsOfUnit,
  topFolders,
  type UnitInput,
  unitText,
  valueFlaw,
  written,
} from '../../../src/cli/commands/service/unit.js';
import { codePoint } from '../../support/codePoint.js';
import {
  exposureOf,
  hasAnalyze,
  NEEDS_ANALYZE,
  readBackUnit,
  verifyUnit,
} from '../../support/servers/systemd.js';

const INPUT: UnitInput = {
  name: 'spate',
  mode: 'system',
  node: process.execPath,
  script: '/opt/spate/dist/src/cli/main.js',
  settingsFile: '/etc/spate/spate.yml',
  clusterFile: null,
  readable: [],
  writable: ['/etc/spate', '/var/log/spate', '/var/lib/spate', '/etc/spate/generators'],
  user: 'spate',
  keyringPassword: null,
  port: 9474,
};

const textOf = (more: Partial<UnitInput> = {}): string => {
  const text = unitText({ ...INPUT, ...more });
  if (E.isLeft(text)) throw new Error(text.left.message);
  return text.right;
};

const linesOf = (more: Partial<UnitInput> = {}): readonly string[] => textOf(more).split('\n');

/** Value of the only line with this key. */
const valueIn = (lines: readonly string[], key: string): string | null => {
  const found = lines.filter((line) => line.startsWith(`${key}=`));
  expect(found.length).toBeLessThanOrEqual(1);
  return found[0]?.slice(key.length + 1) ?? null;
};

/**
 * Reads words in quotes as systemd's extract_first_word does, and replaces `%%`; written from its manual
 * (systemd.syntax, systemd.unit), not from what `written` does.
 */
const wordsOf = (line: string): readonly string[] => {
  const words: string[] = [];
  let word: string | null = null;
  for (let i = 0; i < line.length; i++) {
    const char = line[i] ?? '';
    if (word === null) {
      if (char === '"') word = '';
      else expect(char).toBe(' ');
    } else if (char === '\\') {
      word += line[++i] ?? '';
    } else if (char === '"') {
      words.push(word);
      word = null;
    } else if (char === '%') {
      expect(line[++i]).toBe('%');
      word += '%';
    } else word += char;
  }
  expect(word).toBeNull();
  return words;
};

const KINDS = ['word', 'program', 'rest'] as const;

const pathArbitrary = fc
  .array(fc.constantFrom(...'abc/ %$"\\\';{}:#=é*~&-@+!|'.split(''), 'HOME', '\u{1f600}'), { maxLength: 30 })
  .map((parts) => `/${parts.join('')}`);

describe('values of a unit', () => {
  test('in quotes are read back unchanged', () => {
    fc.assert(
      fc.property(fc.array(pathArbitrary, { minLength: 1, maxLength: 5 }), (paths) => {
        expect(wordsOf(paths.map((path) => written('word', path)).join(' '))).toEqual(paths);
      }),
      { numRuns: 2_000 },
    );
  });

  test('as the rest of a line have only their percent signs doubled', () => {
    expect(written('rest', '/a b/100%/"x"\\y')).toBe('/a b/100%%/"x"\\y');
  });

  test.each([
    ['word', '/a\nUser=root'],
    ['word', '/a\u0000'],
    ['word', '/\ud800'],
    ['program', '/opt/no"de'],
    ['program', "/opt/no'de"],
    ['program', '/opt/no\\de'],
    ['rest', '/a '],
    ['rest', '/a\\'],
  ] as const)('that systemd cannot read are refused: %s %j', (kind, text) => {
    expect(valueFlaw(kind, 'the folder', text)).toMatchObject({ code: 'invalid' });
  });

  test('no value opens a line of its own', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), fc.constantFrom(...KINDS), (text, kind) => {
        if (valueFlaw(kind, 'x', text) === null) expect(written(kind, text)).not.toMatch(/[\r\n\0]/);
      }),
    );
  });
});

describe('the unit', () => {
  test('runs the settings with absolute paths under a watchdog and starts again after failures', () => {
    const lines = linesOf();
    expect(valueIn(lines, 'Type')).toBe('notify');
    expect(valueIn(lines, 'NotifyAccess')).toBe('all');
    expect(valueIn(lines, 'ExecStart')).toBe(
      `:"${process.execPath}" "/opt/spate/dist/src/cli/main.js" run --config "/etc/spate/spate.yml"`,
    );
    expect(valueIn(lines, 'ExecReload')).toBe('/bin/kill -HUP $MAINPID');
    expect(valueIn(lines, 'Restart')).toBe('on-failure');
    expect(Number(valueIn(lines, 'WatchdogSec'))).toBeGreaterThan(0);
    expect(valueIn(lines, 'User')).toBe('spate');
    expect(valueIn(lines, 'WantedBy')).toBe('multi-user.target');
  });

  test('of a node passes its cluster file on and waits for NATS for as long as it takes', () => {
    const lines = linesOf({ clusterFile: '/etc/spate/cluster 1.yml' });
    expect(valueIn(lines, 'ExecStart')).toBe(
      `:"${process.execPath}" "/opt/spate/dist/src/cli/main.js" run --config "/etc/spate/spate.yml" --cluster "/etc/spate/cluster 1.yml"`,
    );
    const perStart = 10 + Number(valueIn(lines, 'RestartSec'));
    const starts = Number(valueIn(lines, 'StartLimitIntervalSec')) / perStart;
    expect(starts).toBeLessThan(Number(valueIn(lines, 'StartLimitBurst')));
    expect(valueIn(linesOf(), 'StartLimitIntervalSec')).toBe('300');
  });

  test('gives the daemon more time to stop than it takes at most', () => {
    // Open requests, drain, last log lines: the limits of src/daemon.ts, src/daemon/generators.ts, instanceLog.ts.
    expect(STOP_TIMEOUT_SECONDS).toBeGreaterThan(10 + 10 + 2);
    expect(valueIn(linesOf(), 'TimeoutStopSec')).toBe(String(STOP_TIMEOUT_SECONDS));
  });

  test('writes only where it must, and never forbids the machine code that V8 makes', () => {
    const lines = linesOf();
    expect(valueIn(lines, 'ProtectSystem')).toBe('strict');
    expect(valueIn(lines, 'ReadWritePaths')).toBe('"/etc/spate" "/var/lib/spate" "/var/log/spate"');
    expect(lines.some((line) => line.startsWith('MemoryDenyWriteExecute'))).toBe(false);
  });

  test.each([
    [{}, 'yes', 'yes'],
    [{ writable: ['/home/you/spate'] }, 'read-only', 'yes'],
    [{ node: '/root/.nvm/bin/node' }, 'read-only', 'yes'],
    [{ settingsFile: '/home2/spate.yml' }, 'yes', 'yes'],
    [{ writable: ['/tmp/x'] }, 'yes', 'no'],
    [{ settingsFile: '/var/tmp/spate.yml' }, 'yes', 'no'],
    [{ clusterFile: '/home/you/cluster.yml' }, 'read-only', 'yes'],
    [{ clusterFile: '/etc/spate/cluster.yml', readable: ['/root/user.creds'] }, 'read-only', 'yes'],
  ])('hides home and temporary folders unless something of it lies there: %j', (more, home, temporary) => {
    const lines = linesOf(more);
    expect([valueIn(lines, 'ProtectHome'), valueIn(lines, 'PrivateTmp')]).toEqual([home, temporary]);
  });

  test.each([
    [{ port: 9474 }, '', ''],
    [{ port: 443 }, 'CAP_NET_BIND_SERVICE', 'CAP_NET_BIND_SERVICE'],
    [{ user: null }, 'CAP_DAC_OVERRIDE CAP_CHOWN CAP_FOWNER', ''],
  ])('has the capabilities that %j needs and no other', (more, bounds, ambient) => {
    const lines = linesOf(more);
    expect([valueIn(lines, 'CapabilityBoundingSet'), valueIn(lines, 'AmbientCapabilities')]).toEqual([
      bounds,
      ambient,
    ]);
  });

  test('hands over the password of the keyring only when asked to', () => {
    expect(valueIn(linesOf(), 'LoadCredential')).toBeNull();
    expect(valueIn(linesOf({ keyringPassword: '/etc/spate/pass 100%' }), 'LoadCredential')).toBe(
      'spate-keyring-password:/etc/spate/pass 100%%',
    );
  });

  test('of a person asks for nothing that needs the rights of the machine', () => {
    const lines = linesOf({ mode: 'user', user: null });
    for (const key of [
      'User',
      'ProtectSystem',
      'ReadWritePaths',
      'PrivateTmp',
      'CapabilityBoundingSet',
      'After',
    ]) {
      expect([key, valueIn(lines, key)]).toEqual([key, null]);
    }
    expect(valueIn(lines, 'NoNewPrivileges')).toBe('yes');
    expect(valueIn(lines, 'WantedBy')).toBe('default.target');
  });

  test('knows itself and its settings again', () => {
    expect(isOurUnit(textOf())).toBe(true);
    expect(isOurUnit('[Unit]\nDescription=Spate\n')).toBe(false);
    expect(settingsOfUnit(textOf({ settingsFile: '/a b/100%.yml' }))).toBe('/a b/100%.yml');
    expect(settingsOfUnit('[Service]\n')).toBeNull();
    expect(clusterOfUnit(textOf())).toBeNull();
    const node = textOf({ clusterFile: '/a b/100%.yml' });
    expect([settingsOfUnit(node), clusterOfUnit(node)]).toEqual(['/etc/spate/spate.yml', '/a b/100%.yml']);
  });

  test.each([
    [{ name: '../evil' }, '--name'],
    [{ name: 'a b' }, '--name'],
    [{ name: '' }, '--name'],
    [{ user: 'root\nExecStart=/bin/sh' }, '--run-as'],
    [{ user: 'a b' }, '--run-as'],
    [{ settingsFile: '/a\nb' }, 'the settings file'],
    [{ clusterFile: '/a\nb' }, 'the cluster file'],
    [{ writable: ['/ok', '/a\rb'] }, 'the folder'],
    [{ keyringPassword: '/a\\' }, 'the password file'],
    [{ node: '/opt/"node"' }, 'the path of Node'],
  ])('is refused with the reason for %j', (more, what) => {
    expect(unitText({ ...INPUT, ...more })).toMatchObject({
      left: { code: 'invalid', message: expect.stringContaining(what) },
    });
  });

  test('names each folder once, and none that lies in another', () => {
    expect(topFolders(['/a/b', '/a', '/ab', '/a/b/c', '/a'])).toEqual(['/a', '/ab']);
    expect(topFolders(['/x', '/'])).toEqual(['/']);
  });
});

(hasAnalyze ? describe : describe.skip)(`the unit as systemd reads it ${NEEDS_ANALYZE}`, () => {
  test.each([
    ['of the machine', {}],
    ['of the machine as root with a low port', { user: null, port: 80 }],
    ['of a person', { mode: 'user', user: null } as const],
    ['of a node', { clusterFile: '/etc/spate/cluster %.yml' }],
    ['with a keyring', { keyringPassword: '/etc/spate/pass word%' }],
  ])('%s has nothing wrong', (_what, more) => {
    expect(verifyUnit(textOf(more))).toBe('');
  });

  test('a mistake would be found', () => {
    expect(verifyUnit(`${textOf()}[Service]\nNoSuchOption=1\nExecReload=relative\n`)).not.toBe('');
  });

  test('is little exposed by the count of systemd', () => {
    const [machine, person] = [exposureOf(textOf()), exposureOf(textOf({ mode: 'user', user: null }))];
    process.stderr.write(`exposure: ${machine} of the machine, ${person} of a person (10: not protected)\n`);
    expect(machine).toBeLessThan(2.5);
    expect(person).toBeLessThan(8);
  });

  test('any path arrives unchanged', () => {
    const folder = mkdtempSync(join(tmpdir(), 'spate-node-'));
    try {
      const odd = join(folder, 'a b%c%%h$HOME${x};e&é -@!:|#');
      mkdirSync(odd);
      const node = join(odd, 'node %n');
      copyFileSync('/bin/true', node);
      chmodSync(node, 0o755);
      const script = `${odd}/'main' "x" \\n.js`;
      const settingsFile = `${odd}/"spate"\\.yml`;
      const text = textOf({ node, script, settingsFile, writable: [odd, '/v "w" \\%s', '/plain'] });
      expect(verifyUnit(text)).toBe('');
      const back = readBackUnit(text);
      expect(back('ReadWritePaths')).toEqual([`/plain ${odd} /v "w" \\%s`]);
      const [command = ''] = back('Command Line');
      // The dump quotes as a shell does: inside double quotes a backslash stands before " \ $ and `.
      const words = [...command.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, bare]) =>
        quoted === undefined ? bare : quoted.replace(/\\(.)/g, '$1'),
      );
      expect(words).toEqual([node, script, 'run', '--config', settingsFile]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
