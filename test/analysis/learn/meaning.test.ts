import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cutTextOf } from '../../../src/analysis/learn/cut.js';
import { cutJson } from '../../../src/analysis/learn/formats/json.js';
import { cutSyslog } from '../../../src/analysis/learn/formats/syslog.js';
import { personNamesOf } from '../../../src/analysis/learn/privacy/collect.js';
import { makePseudonyms } from '../../../src/analysis/learn/privacy/pseudonyms.js';
import { makeScrubber, scrubbedCut } from '../../../src/analysis/learn/privacy/scrub.js';
import { codePoint } from '../../support/codePoint.js';
import { madeFrom } from './made.js';

const cutOf = (value: string, name = 'message') => ({
  kind: '',
  literals: ['', ''],
  names: [name],
  values: [value],
});

/** A text as the log of nothing else would hold it. */
const scrubbed = (value: string, name = 'message'): string => {
  const cut = cutOf(value, name);
  const names = personNamesOf([cut]);
  const scrubber = makeScrubber(makePseudonyms('key', new Set(names.keys())), names, { range: null });
  return cutTextOf(scrubbedCut(cut, scrubber));
};

describe('what all logs share stays', () => {
  test.each([
    ['UserID', 'S-1-5-18'],
    ['TargetUserSid', 'S-1-5-32-544'],
    ['SubjectUserName', 'NT AUTHORITY\\SYSTEM'],
    ['User', 'NT AUTHORITY\\NETWORK SERVICE'],
    ['SubjectUserName', 'LOCAL SERVICE'],
    ['SubjectDomainName', 'NT AUTHORITY'],
    ['User', 'BUILTIN\\Administrators'],
    ['TargetUserName', 'DWM-1'],
    ['Keywords', '-9223372036854775808'],
    ['message', 'mask -9214364837600034816 and 4294967295'],
    ['eventSource', 'ec2.amazonaws.com'],
    ['userAgent', 'console.ec2.amazonaws.com'],
    ['host', 'storage.googleapis.com'],
    ['message', 'GET https://management.azure.com/x'],
    ['message', 'to login.microsoftonline.com, ec2.us-east-1.amazonaws.com'],
    ['message', 'calls getTodayTotalDetailSteps and FigAgglomeratorSetObjectForKey'],
    ['message', 'new RetryUpToMaximumCountWithFixedSleep(maxRetries=10)'],
    ['message', 'Win32ProcessorInformationClass2 ready'],
    ['message', '[SendWorker:188978561024:QuorumCnxManager$SendWorker@688]'.replace('188978561024:', '')],
    ['message', 'java.lang.Object@1b2c3d4e closed'],
    ['message', 'Package_for_KB2928120~31bf3856ad364e35~amd64~~6.1.1.2, state 112'],
    ['message', 'client version 6.1.1.2 of v10.0.0.7'],
    ['agent', 'Mozilla/5.0 (X11) AppleWebKit/537.36 Chrome/120.0.0.0 Safari/537.36'],
    ['product_version', '10.20.30.40'],
    ['message', 'kex curve25519-sha256@libssh.org cipher aes256-gcm@openssh.com'],
    ['message', '=INFO REPORT==== nonode@nohost up'],
    ['host', 'ACCEPT'],
    ['host', 'imap-login'],
    ['message', 'ratio 9.5367431640625e-07 of 0.123456789012'],
    ['message', 'Invalid user  from port 22'],
    ['message', 'Failed password for invalid user 0 from port 22'],
    ['message', 'at 2005-06-03-15.42.50.250 and 20171223-22:15:29:606'],
    ['message', 'ran main.py, lib.rs and README.md'],
  ])('%s %s', (name, value) => {
    expect(scrubbed(value, name)).toBe(value);
  });

  test('also in a field that is the same in all records', async () => {
    const line = (n: number) =>
      `{"time":"2026-03-01T10:00:${10 + (n % 50)}Z","provider":"Gx7Lq2Vb9Tz4Kw1Rm8","guid":"{54849625-5478-4994-A5BA-3E3B0328C30D}","session":"Gx7Lq2Vb9Tz4Kw1Rm8","n":${n % 9}}`;
    const { events } = await madeFrom(Array.from({ length: 60 }, (_, n) => line(n)).join('\n'), {
      events: 20,
    });
    for (const event of events) {
      const { provider, session, guid } = JSON.parse(event);
      expect(guid).toBe('{54849625-5478-4994-A5BA-3E3B0328C30D}');
      expect(provider).toBe('Gx7Lq2Vb9Tz4Kw1Rm8');
      expect(session).not.toBe('Gx7Lq2Vb9Tz4Kw1Rm8');
    }
  });
});

describe('what is private keeps its form', () => {
  test.each([
    ['message', 'mail from acme-widgets.co.uk', /^mail from [a-z-]+\.co\.uk$/],
    ['message', 'see www.acme-widgets.com.br now', /^see www\.[a-z-]+\.com\.br now$/],
    ['message', 'see mail.acme-widgets.se now', /^see [a-z]+\.[a-z-]+\.se now$/],
    ['message', 'host acme-widgets.de up', /^host [a-z-]+\.de up$/],
    ['message', 'GET https://acme-widgets.rs/x', /^GET https:\/\/[a-z-]+\.rs\/x$/],
    ['message', 'to mybucket-acme.s3.amazonaws.com', /^to [a-z-]+\.s3\.amazonaws\.com$/],
    ['message', 'to acmestore.blob.core.windows.net', /^to [a-z]+\.blob\.core\.windows\.net$/],
    [
      'TargetUserSid',
      'S-1-5-21-1004336348-1177238915-682003330-1512',
      /^S-1-5-21-[1-3]\d{9}-[1-3]\d{9}-\d{9}-[1-9]\d{3}$/,
    ],
    [
      'TargetUserSid',
      'S-1-5-21-1004336348-1177238915-682003330-500',
      /^S-1-5-21-[1-3]\d{9}-[1-3]\d{9}-\d{9}-500$/,
    ],
    [
      'message',
      'Invalid user wperkins from 203.0.113.9 port 22',
      /^Invalid user (?!wperkins)[a-z]+ from \d+\.\d+\.\d+\.\d+ port 22$/,
    ],
    [
      'message',
      'Failed password for invalid user wperkins from 203.0.113.9 port 22 ssh2',
      /^Failed password for invalid user (?!wperkins)[a-z]+ from \S+ port 22 ssh2$/,
    ],
    [
      'message',
      'Accepted keyboard-interactive for wperkins from 203.0.113.9',
      /^Accepted keyboard-interactive for (?!wperkins)[a-z]+ from \S+$/,
    ],
    [
      'message',
      'Disconnected from authenticating user wperkins 203.0.113.9 port 5',
      /^Disconnected from authenticating user (?!wperkins)[a-z]+ \S+ port 5$/,
    ],
    ['SubjectUserName', 'HQCORP\\wperkins', /^[A-Z]+\\(?!wperkins)[a-z]+$/],
    ['session_id', '1234567890123', /^[1-9]\d{12}$/],
  ])('%s %s', (name, value, look) => {
    const made = scrubbed(value, name);
    expect(made).toMatch(look);
    expect(made).not.toBe(value);
  });

  test('identifiers of one domain stay in one domain', () => {
    const domain = 'S-1-5-21-1004336348-1177238915-682003330';
    const [one = '', other = ''] = scrubbed(`${domain}-1512 ${domain}-1600`).split(' ');
    expect(one.slice(0, one.lastIndexOf('-'))).toBe(other.slice(0, other.lastIndexOf('-')));
    expect(one).not.toBe(other);
  });
});

describe('JSON', () => {
  const names = new Map([
    ['pgustavo', 'user'],
    ['tpgustavo', 'user'],
  ] as const);
  const scrubber = makeScrubber(makePseudonyms('key', new Set(names.keys())), names, { range: null });

  test.each([
    '{"message":"Subject:\\n\\t\\tpgustavo@hq\\tSeTcbPrivilege","rate":9.5367431640625e-07,"session_id":10234567891}',
    'sent {"a":{"user":"\\tpgustavo"},"n":1e21} ok',
    '{"outer":"{\\"user\\":\\"x\\\\tpgustavo\\"}","\\tpgustavo":1}',
  ])('is decoded before, valid after: %s', (text) => {
    const made = cutTextOf(scrubbedCut(cutOf(text), scrubber));
    const json = made.slice(made.indexOf('{'), made.lastIndexOf('}') + 1);
    expect(() => JSON.parse(json)).not.toThrow();
    expect(made).not.toContain('pgustavo');
    expect(made.match(/\\\\?[nt]/g)).toEqual(text.match(/\\\\?[nt]/g));
  });

  test('of any kind is valid after', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: codePoint }), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        const cut = cutJson(text);
        if (cut === null) return;
        expect(() => JSON.parse(cutTextOf(scrubbedCut(cut, scrubber)))).not.toThrow();
        expect(() => JSON.parse(cutTextOf(scrubbedCut(cutOf(text), scrubber)))).not.toThrow();
      }),
    );
  });
});

describe('lines that look like syslog', () => {
  test.each([
    '2026-03-04T10:00:00.123Z ACCEPT host=::ffff:203.0.113.9 port=1234 fd=4 n=1/4096',
    '2026-03-04T10:00:00Z CLOSE host=1.2.3.4 port=1 fd=4 time=20.1 bytes=24',
  ])('but name no host or program are none: %s', (line) => {
    expect(cutSyslog(line)).toBeNull();
  });

  test('the log of a program alone has a program and no host', () => {
    const cut = cutSyslog('Mar  4 10:00:00 imap-login: Info: Login: user=<wperkins>, method=PLAIN');
    expect(cut?.names.slice(0, 2)).toEqual(['time', 'program']);
    expect(cut?.values[1]).toBe('imap-login');
  });

  test.each([
    'Mar  4 10:00:00 web1 last message repeated 2 times',
    'Mar  4 10:00:00 web1 sshd[7]: x',
    '2026-03-04T10:00:00Z web1 sshd[7]: x',
  ])('others are syslog: %s', (line) => {
    expect(cutSyslog(line)?.names).toContain('host');
  });
});
