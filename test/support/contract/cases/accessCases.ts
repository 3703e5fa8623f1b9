import type { Operation } from '../document.js';
import { answersWith, type Expectation, type RequestCase, TAKEN } from './requestCase.js';

const refused = (label: string, headers: Readonly<Record<string, string>>): RequestCase => ({
  label,
  isBroken: true,
  expected: answersWith(403),
  headers,
});

/** Requests that an instance without credentials refuses wherever they go. */
export const ACCESS_CASES: readonly RequestCase[] = [
  refused('from a page of another site', { origin: 'http://other.example' }),
  refused('from a page of another site, as browsers say it', { 'sec-fetch-site': 'cross-site' }),
  refused('for another host', { host: 'other.example' }),
  refused('forwarded', { 'x-forwarded-for': '192.0.2.1' }),
];

/** How an instance with credentials answers missing or wrong ones. */
export const credentialCases = ({ isOpen }: Operation): readonly RequestCase[] => {
  // After too many wrong ones nothing is compared any more.
  const expected: Expectation = isOpen ? { kind: 'open', value: null } : answersWith(401, 429);
  const shown = (label: string, headers: Readonly<Record<string, string>>): RequestCase => ({
    label,
    isBroken: !isOpen,
    expected,
    headers,
  });
  return [
    { ...shown('no credentials', {}), expected: isOpen ? TAKEN : answersWith(401) },
    shown('an unknown session', { cookie: 'session_id=0123456789abcdef0123456789abcdef' }),
    shown('a session of every object', { cookie: 'session_id=__proto__; __proto__=constructor' }),
    shown('another scheme', { authorization: 'Bearer abc' }),
    shown('malformed credentials', { authorization: 'Basic %%%' }),
    shown('credentials without a colon', { authorization: `Basic ${btoa('tester')}` }),
    shown('a wrong password', { authorization: `Basic ${btoa('tester:wrong')}` }),
    shown('a very long password', { authorization: `Basic ${btoa(`tester:${'x'.repeat(6_000)}`)}` }),
  ];
};
