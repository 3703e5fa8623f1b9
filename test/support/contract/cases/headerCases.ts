import type { Operation } from '../document.js';
import { answersWith, CURRENT_ETAG, type Expectation, type RequestCase, TAKEN } from './requestCase.js';

const ifMatch = (label: string, value: string, expected: Expectation, isBroken: boolean): RequestCase => ({
  label: `If-Match ${label}`,
  isBroken,
  expected,
  headers: { 'if-match': value },
});

/** Tags that no state has: 412, or 404 where there is nothing. */
const MISMATCH: Expectation = { kind: 'status', statuses: [412, 404] };
const ANY: Expectation = { kind: 'open', value: null };

const conditional: readonly RequestCase[] = [
  ifMatch('of the current state', CURRENT_ETAG, TAKEN, false),
  ifMatch('of any state', '*', TAKEN, false),
  ifMatch('of one of several', `"other", ${CURRENT_ETAG}`, TAKEN, false),
  ...[
    '"no-such-tag"',
    'no-quotes',
    '""',
    '"',
    '"a", "b"',
    ',',
    '%00',
    '"__proto__"',
    `"${'x'.repeat(8_000)}"`,
  ].map((value) => ifMatch(value.slice(0, 20), value, MISMATCH, true)),
  ifMatch('weak', `W/${CURRENT_ETAG}`, ANY, true),
];

const resumable: readonly RequestCase[] = [
  ...['0', '1', '-1', '999999999999', 'NaN', 'no-such-id', '__proto__', 'x'.repeat(8_000), '1:1', '%00'].map(
    (value): RequestCase => ({
      label: `Last-Event-ID ${value.slice(0, 20)}`,
      isBroken: true,
      // A stream that cannot go on where it was begins anew.
      expected: TAKEN,
      headers: { 'last-event-id': value },
    }),
  ),
];

/** A path for WebSockets that is asked without an upgrade; an empty header is left out. */
const withoutUpgrade: RequestCase = {
  label: 'without an upgrade',
  isBroken: true,
  expected: answersWith(426),
  headers: { connection: '', upgrade: '', 'sec-websocket-version': '', 'sec-websocket-key': '' },
};

/** Requests for the headers that an operation takes. */
export const headerCases = ({ parameters, answers }: Operation): readonly RequestCase[] => [
  ...(answers['101'] === undefined ? [] : [withoutUpgrade]),
  ...parameters
    .filter((parameter) => parameter.in === 'header')
    .flatMap(({ name }) => {
      if (name === 'If-Match') return conditional;
      if (name === 'Last-Event-ID') return resumable;
      throw new Error(`nothing is known of the header ${name}`);
    }),
];
