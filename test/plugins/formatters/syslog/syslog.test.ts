import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { syslogFormatterPlugin } from '../../../../src/plugins/formatters/syslog/plugin.js';
import { facilityCode, severityCode } from '../../../../src/plugins/formatters/syslog/spec.js';
import { FACILITIES, SEVERITIES } from '../../../../src/plugins/shared/syslogFields.js';
import { parseSyslog } from '../../../support/syslogParser.js';
import { built, issuesOf, lines } from '../fields/support.js';

const POINTED: JsonObject = {
  facility: '{/facility}',
  severity: '{/level}',
  timestamp: '{/time}',
  hostname: '{/host}',
  app_name: '{/app}',
  procid: '{/pid}',
  msgid: '{/id}',
  structured_data: { 'origin@32473': { ip: '{/ip}', note: 'at {/site}' }, 'bare@1': {} },
  message: '{/text}',
  bom: false,
};

/** Words that the other implementation reads; rsyslogd gets the awkward ones. */
const word = fc.stringMatching(/^[A-Za-z0-9_.]{1,20}$/);
const sentence = fc.array(fc.stringMatching(/^[A-Za-z0-9é€🎈"\\|;]{1,8}$/u), { minLength: 1, maxLength: 5 });
const instant = fc.date({
  min: new Date('2001-09-10T00:00:00Z'),
  max: new Date('2099-12-31T23:59:59Z'),
  noInvalidDate: true,
});

test('RFC 5424: nsyslog-parser reads every part that was written', () =>
  fc.assert(
    fc.asyncProperty(
      fc.record({
        facility: fc.nat(23),
        level: fc.nat(7),
        ...{ host: word, app: word, pid: word, id: word, ip: word, site: word },
        time: instant.map((date) => date.toISOString()),
        text: sentence.map((words) => words.join(' ')),
      }),
      async (event) => {
        const [line = ''] = await lines(syslogFormatterPlugin, POINTED, [event]);
        // It finds elements by a parameter, so not the bare one.
        expect(line).toContain('"][bare@1] ');
        expect(parseSyslog(line.replace('[bare@1]', ''))).toMatchObject({
          type: 'RFC5424',
          facilityval: event.facility,
          levelval: event.level,
          ...{ host: event.host, appName: event.app, pid: event.pid, messageid: event.id },
          ts: new Date(event.time),
          message: event.text,
          structuredData: [{ $id: 'origin@32473', ip: event.ip, note: `at ${event.site}` }],
        });
      },
    ),
  ));

test('RFC 3164: nsyslog-parser reads every part that was written', () =>
  fc.assert(
    fc.asyncProperty(
      fc.record({
        facility: fc.constantFrom(...FACILITIES.keys()),
        level: fc.constantFrom('WARN', 'fatal', 'Error', 'trace', 'notice'),
        ...{ host: word, app: word, pid: fc.nat(99_999) },
        text: sentence.map((words) => words.join(' ')),
      }),
      async (event) => {
        const { msgid: _, structured_data: __, ...pointed } = POINTED;
        const params = { ...pointed, header: 'rfc3164', timestamp: '2026-03-05T07:08:09Z' };
        const [line = ''] = await lines(syslogFormatterPlugin, params, [event]);
        expect(line).toContain('>Mar  5 07:08:09 ');
        expect(parseSyslog(line)).toMatchObject({
          type: 'BSD',
          facilityval: event.facility,
          levelval: { WARN: 4, fatal: 2, Error: 3, trace: 7, notice: 5 }[event.level],
          ...{ host: event.host, appName: event.app, pid: String(event.pid), message: event.text },
        });
      },
    ),
  ));

describe('RFC 5424 by its grammar', () => {
  const HEADER =
    /^<(?:\d|[1-9]\d|1[0-8]\d|19[01])>1 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d:\d\d [!-~]{1,255} [!-~]{1,48} [!-~]{1,128} [!-~]{1,32} /;
  const ELEMENTS =
    /^((?:\[[!#-<>-\\^-~]{1,32}(?: [!#-<>-\\^-~]{1,32}="(?:[^"\\\]]|\\["\\\]])*")*\])+|-)(?: |$)/;
  const awkward = fc.string({ unit: fc.constantFrom(...'a1 "\'\\]=[\t\r\n\u0000\u007fé🎈'), maxLength: 60 });

  test('any values make a valid header, and escapes read back', () =>
    fc.assert(
      fc.asyncProperty(awkward, awkward, awkward, async (name, value, text) => {
        const event = { host: name, app: name, pid: name, id: name, ip: value, text, level: name };
        const params = { ...POINTED, control_characters: 'keep' };
        const [line = ''] = await lines(syslogFormatterPlugin, params, [event]);
        const header = HEADER.exec(line)?.[0] ?? '';
        expect(header).not.toBe('');
        const rest = line.slice(header.length);
        const elements = ELEMENTS.exec(rest)?.[1] ?? '';
        const ip = / ip="((?:[^"\\\]]|\\["\\\]])*)" note/.exec(elements)?.[1];
        expect(ip?.replace(/\\(["\\\]])/g, '$1')).toBe(value);
        expect(rest.slice(elements.length + 1)).toBe(text);
      }),
    ));
});

test('what an event lacks: the clock, the name of this host, default codes, nil values, no element', async () => {
  const [line = ''] = await lines(
    syslogFormatterPlugin,
    { ...POINTED, hostname: 'web-1', structured_data: null },
    [{ level: 'loud' }],
  );
  expect(line).toBe('<14>1 2026-11-20T19:05:09+00:00 web-1 - - - - ');
  const data = { structured_data: { 'gone@1': { a: '{/a}' }, 'part@1': { a: '{/a}', b: '{/b}' } } };
  const [second = ''] = await lines(syslogFormatterPlugin, { ...data, hostname: 'h', message: 'm' }, [
    { b: 1 },
  ]);
  expect(second).toBe('<14>1 2026-11-20T19:05:09+00:00 h spate - - [part@1 b="1"] m');
  const [own = ''] = await lines(syslogFormatterPlugin, {}, ['x']);
  expect(own).toMatch(/^<14>1 2026-11-20T19:05:09\+00:00 [!-~]+ spate - - - "x"$/);
});

test('an event of any text when no option reads it; else a JSON object with a time that can be read', async () => {
  const plain = await built(syslogFormatterPlugin, { hostname: 'h', facility: 4, severity: 2 });
  expect(plain.format(textBatch(['no JSON', ''])).batch.texts()).toEqual([
    '<34>1 2026-11-20T19:05:09+00:00 h spate - - - no JSON',
    '<34>1 2026-11-20T19:05:09+00:00 h spate - - - ',
  ]);
  const pointed = await built(syslogFormatterPlugin, { hostname: 'h', timestamp: '{/t}' });
  const { batch, failures } = pointed.format(
    textBatch(['no JSON', '{"t":"soon"}', '{"t":1772694489.25}', '{"t":"2026-03-05T07:08:09.5+02:00"}']),
  );
  expect(failures.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/value/),
    '`timestamp` finds no time in the event',
  ]);
  expect(batch.texts().map((line) => line.slice(6, 38))).toEqual([
    '2026-03-05T07:08:09.250000+00:00',
    '2026-03-05T05:08:09.500000+00:00',
  ]);
});

test('control characters are escaped, spaces or unchanged; words are cut and cleaned', async () => {
  const event = { text: 'a\n\u0000\tb', app: 'my app: é', pid: '7]: x' };
  const params = { hostname: 'h', app_name: '{/app}', procid: '{/pid}', message: '{/text}' };
  const all = ['escape', 'space', 'keep'].map((control_characters) => ({ ...params, control_characters }));
  const written = await Promise.all(all.map((each) => lines(syslogFormatterPlugin, each, [event])));
  expect(written.flat().map((line) => line.slice(31))).toEqual([
    ' h my_app:__ 7]:_x - - a#012#000#011b',
    ' h my_app:__ 7]:_x - - a   b',
    ' h my_app:__ 7]:_x - - a\n\u0000\tb',
  ]);
  const [old = ''] = await lines(syslogFormatterPlugin, { ...params, header: 'rfc3164' }, [event]);
  expect(old).toBe('<14>Nov 20 19:05:09 h my_app___[7___x]: a#012#000#011b');
  const [cut = ''] = await lines(syslogFormatterPlugin, { hostname: 'h', app_name: '{/a}' }, [
    { a: 'x'.repeat(99) },
  ]);
  expect(cut).toContain(` h ${'x'.repeat(48)} - - - `);
});

test('the byte order mark stands before messages that are not ASCII, once, in RFC 5424 only', async () => {
  const events = [{ m: 'ascii' }, { m: 'é' }, { m: '\ufeffé' }];
  const params = { hostname: 'h', message: '{/m}' };
  const messages = async (more: JsonObject) =>
    (await lines(syslogFormatterPlugin, { ...params, ...more }, events)).map(
      (line) => line.split(/ - - - |: /)[1],
    );
  expect(await messages({})).toEqual(['ascii', '\ufeffé', '\ufeffé']);
  expect(await messages({ bom: false })).toEqual(['ascii', 'é', '\ufeffé']);
  expect(await messages({ header: 'rfc3164' })).toEqual(['ascii', 'é', '\ufeffé']);
});

test('codes by name, number and the words of loggers', () => {
  expect(FACILITIES.map(facilityCode)).toEqual([...FACILITIES.keys()]);
  expect(SEVERITIES.map(severityCode)).toEqual([...SEVERITIES.keys()]);
  expect([' Critical ', 'PANIC', '3', 7, 'verbose'].map(severityCode)).toEqual([2, 0, 3, 7, 7]);
  expect(['loud', '8', -1, 2.5, null, {}].map(severityCode)).toEqual(Array.from({ length: 6 }, () => null));
});

test.each<[string, JsonObject, string]>([
  ['a severity that does not exist', { severity: 'loud' }, 'is not known'],
  ['a facility number that does not exist', { facility: 24 }, 'must be at most 23'],
  ['a space in a word', { hostname: 'my host' }, 'must be printable ASCII without spaces'],
  ['a message ID in RFC 3164', { header: 'rfc3164', msgid: 'x' }, 'needs `header: rfc5424`'],
  ['a bad ID of structured data', { structured_data: { 'a b': {} } }, 'has a name that RFC 5424'],
  ['a tag with a colon in RFC 3164', { header: 'rfc3164', app_name: 'a:b' }, 'must be up to 32 letters'],
])('%s is refused', (_, params, message) => {
  expect(issuesOf(syslogFormatterPlugin, params)).toEqual([expect.stringContaining(message)]);
});
