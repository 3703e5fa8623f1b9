import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import {
  type Caller,
  isCrossSite,
  isForwarded,
  isFromPage,
  isLoopbackAddress,
  isLoopbackHost,
  isOfAnyPage,
  isSameOrigin,
} from '../../src/domain/access/origin.js';

const callerWith = (method: string, headers: IncomingHttpHeaders, isEncrypted = false): Caller => ({
  method,
  headers,
  isEncrypted,
  remoteAddress: '127.0.0.1',
});

test.each([
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:10.0.0.1', false],
  ['10.0.0.1', false],
  ['128.0.0.1', false],
  ['::', false],
  ['1127.0.0.1', false],
  [undefined, false],
])('the address %s is of this machine: %s', (address, expected) => {
  expect(isLoopbackAddress(address)).toBe(expected);
});

test.each([
  ['localhost', true],
  ['LOCALHOST:9474', true],
  ['spate.localhost:80', true],
  ['127.0.0.1:9474', true],
  ['[::1]:9474', true],
  ['localhost.', true],
  ['evil.com', false],
  ['localhost.evil.com', false],
  ['127.0.0.1.evil.com', false],
  ['evillocalhost', false],
  ['192.168.0.1', false],
  ['0.0.0.0', false],
  ['localhost:80@evil.com', false],
  ['', false],
  [undefined, false],
])('the Host %s names this machine: %s', (host, expected) => {
  expect(isLoopbackHost(host)).toBe(expected);
});

test.each([
  [{ forwarded: 'for=1.2.3.4' }, true],
  [{ 'x-forwarded-for': '' }, true],
  [{ 'x-real-ip': '1.2.3.4' }, true],
  [{ host: 'localhost' }, false],
])('%j was forwarded: %s', (headers, expected) => {
  expect(isForwarded(headers)).toBe(expected);
});

describe('a request of another site', () => {
  const host = 'localhost:9474';
  test.each([
    ['no browser', 'POST', { host }, false],
    ['the own origin', 'POST', { host, origin: 'http://localhost:9474' }, false],
    ['the own origin in other case', 'POST', { host, origin: 'HTTP://LocalHost:9474' }, false],
    ['another port', 'POST', { host, origin: 'http://localhost:3000' }, true],
    ['another host', 'GET', { host, origin: 'https://evil.com' }, true],
    ['a sandboxed page', 'POST', { host, origin: 'null' }, true],
    ['an origin that is none', 'POST', { host, origin: 'http://evil.com/localhost:9474' }, true],
    ['an extension', 'POST', { host, origin: 'chrome-extension://abc' }, true],
    [
      'an image in a foreign page',
      'GET',
      { host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
      true,
    ],
    [
      'a page of a sister domain',
      'GET',
      { host, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' },
      true,
    ],
    [
      'a link that is followed',
      'GET',
      { host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
      false,
    ],
    ['a foreign form', 'POST', { host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, true],
    ['an address typed in', 'GET', { host, 'sec-fetch-site': 'none' }, false],
    ['the own page', 'POST', { host, 'sec-fetch-site': 'same-origin' }, false],
    [
      'the own page behind a proxy',
      'POST',
      { host, origin: 'https://spate.example', 'x-forwarded-host': 'spate.example' },
      false,
    ],
  ])('%s', (_name, method, headers, expected) => {
    expect(isCrossSite(callerWith(method, headers))).toBe(expected);
  });

  test.each([
    ['a page that came over TLS', 'https://localhost:9474', {}, false],
    ['a page that anybody on the way can have made', 'http://localhost:9474', {}, true],
    [
      'a page behind a proxy that speaks plain HTTP to people',
      'http://spate.example',
      { 'x-forwarded-host': 'spate.example' },
      false,
    ],
  ])('over TLS: %s', (_name, origin, more, expected) => {
    expect(isCrossSite(callerWith('POST', { host, origin, ...more }, true))).toBe(expected);
  });

  test('what the browser says of the site is believed before the origin', () => {
    const headers = {
      host,
      origin: `http://${host}`,
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'cors',
    };
    expect(isCrossSite(callerWith('POST', headers))).toBe(true);
  });
});

describe('a request that shows that it comes from a page of this service', () => {
  const host = 'localhost:9474';
  test.each<[string, IncomingHttpHeaders, boolean]>([
    ['the browser says so', { host, 'sec-fetch-site': 'same-origin' }, true],
    ['by its origin, without TLS', { host, origin: 'http://localhost:9474' }, true],
    ['nothing says anything', { host }, false],
    ['a person typed it in', { host, 'sec-fetch-site': 'none' }, false],
    [
      'a person typed it in, and a foreign origin',
      { host, 'sec-fetch-site': 'none', origin: 'http://x' },
      false,
    ],
    ['a sister domain', { host, 'sec-fetch-site': 'same-site' }, false],
    [
      'a sister domain with our origin',
      { host, 'sec-fetch-site': 'same-site', origin: `http://${host}` },
      false,
    ],
    ['a foreign origin', { host, origin: 'http://evil.com' }, false],
    ['no origin', { host, origin: 'null' }, false],
  ])('%s', (_name, headers, expected) => {
    expect(isSameOrigin(callerWith('POST', headers))).toBe(expected);
  });
});

test.each<[string, IncomingHttpHeaders, boolean]>([
  ['a program', {}, false],
  ['a person who follows a link', { 'sec-fetch-mode': 'navigate' }, false],
  ['fetch of a page', { 'sec-fetch-mode': 'cors' }, true],
  ['fetch of a page to its own origin', { 'sec-fetch-mode': 'same-origin' }, true],
  ['a WebSocket of a page', { 'sec-fetch-mode': 'websocket' }, true],
  ['a page of an old browser that says so', { 'x-requested-with': 'XMLHttpRequest' }, true],
])('%s reads the answer: a page is %j %j', (_name, headers, expected) => {
  expect(isFromPage(callerWith('GET', headers))).toBe(expected);
});

test.each([
  [{}, false],
  [{ 'sec-fetch-site': 'none' }, false],
  [{ 'sec-fetch-site': 'same-origin' }, true],
  [{ 'sec-fetch-site': 'cross-site' }, true],
  [{ origin: 'null' }, true],
  [{ origin: 'http://localhost:8070', host: 'localhost:8070' }, true],
])('whether any page sent a request with %j: %s', (headers, expected) => {
  expect(isOfAnyPage({ headers })).toBe(expected);
});
