import { answersWith, type Expectation, type RequestCase, TAKEN } from './requestCase.js';

const WHOLE_BODY: Expectation = { kind: 'refused', fault: { where: 'body', path: [] } };

/** Texts that are no JSON. */
const MALFORMED: readonly (string | Uint8Array)[] = [
  ...['{', '[', '"', '{"a":}', '[1,]', '{"a":1,}', "{'a': 1}", '{a: 1}', 'NaN', 'Infinity', 'undefined'],
  ...['nul', '01', '1.', '.5', '+1', '"\t"', '"\\x41"', '"\\ud800', '[1] [2]', '{} x', '/* */ {}', '\u0000'],
  ...['a=1&b=2', '<a/>', '- a: 1', ' ', '\n'],
  new Uint8Array([0x22, 0xff, 0xfe, 0x22]),
  new Uint8Array([0x22, 0xc0, 0x80, 0x22]),
  new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
];

const shown = (body: string | Uint8Array): string =>
  typeof body === 'string' ? JSON.stringify(body) : Buffer.from(body).toString('hex');

/** A body that no operation takes, and how it is refused before all of it came. */
const TOO_LARGE_BYTES = 3 * 1_048_576;

/** Requests whose body is wrong before it is looked into: `mediaTypes` are those that the operation takes. */
export const rawJsonCases = (mediaTypes: readonly string[]): readonly RequestCase[] => {
  const first = mediaTypes[0] ?? '';
  const broken = (label: string, expected: Expectation, rest: Partial<RequestCase>): RequestCase => ({
    label,
    isBroken: true,
    expected,
    ...rest,
  });
  const good = (label: string, type: string): RequestCase => ({
    label: `content type ${label}`,
    isBroken: false,
    expected: TAKEN,
    headers: { 'content-type': type },
  });
  const bad = (type: string): RequestCase =>
    broken(`content type ${type}`, answersWith(415), { headers: { 'content-type': type } });
  return [
    ...mediaTypes.map((type) => good(type, type)),
    good('in upper case', first.toUpperCase()),
    good('with charset', `${first}; charset=utf-8`),
    good('absent', ''),
    ...['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'json', '/', '*/*'].map(bad),
    ...['multipart/form-data; boundary=x', `${first}; charset=latin1`, `x${first}`, '__proto__'].map(bad),
    ...['gzip', 'br', 'no-such'].map((coding) =>
      broken(`content encoding ${coding}`, answersWith(415), { headers: { 'content-encoding': coding } }),
    ),
    broken('no body', WHOLE_BODY, { body: () => '' }),
    ...MALFORMED.map((body) =>
      broken(`not JSON: ${shown(body).slice(0, 40)}`, WHOLE_BODY, { body: () => body }),
    ),
    broken('a body of 3 MiB', answersWith(413), { body: () => `"${'x'.repeat(TOO_LARGE_BYTES)}"` }),
    broken('a byte order mark of UTF-8 and nothing', WHOLE_BODY, {
      body: () => new Uint8Array([0xef, 0xbb, 0xbf]),
    }),
  ];
};
