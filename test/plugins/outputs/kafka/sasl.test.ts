/**
 * librdkafka's mock brokers know no logins. SCRAM is held against the conversations of RFC 7677 and RFC 5802, and against a
 * server of the tests (`fakeSasl.ts`) that keeps what RFC 5802 says a server keeps, and checks the proof with that.
 */
import { afterEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import { scram } from '../../../../src/plugins/outputs/kafka/sasl.js';
import { never } from '../support.js';
import { closeAll, newKafka, openOutput, tryOpen } from './support.js';

afterEach(closeAll);

const SERVER_FIRST = 'r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096';
const SERVER_LAST = 'v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=';
const pencil = () =>
  scram({ mechanism: 'SCRAM-SHA-256', username: 'user', password: 'pencil' }, 'rOprNGfwEbeRWgbNEkqO');

describe('SCRAM', () => {
  test('speaks as in the example of RFC 7677, 3', async () => {
    const conversation = pencil();
    expect(conversation.first.toString()).toBe('n,,n=user,r=rOprNGfwEbeRWgbNEkqO');
    const proof = await conversation.next(Buffer.from(SERVER_FIRST));
    expect(E.isRight(proof) && proof.right?.toString()).toBe(
      'c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=',
    );
    expect(await conversation.next(Buffer.from(SERVER_LAST))).toEqual(E.right(null));
  });

  test.each([
    ['another nonce', SERVER_FIRST.replace('rOpr', 'xOpr'), /another login/],
    ['no nonce of its own', 'r=rOprNGfwEbeRWgbNEkqO,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096', /another login/],
    ['few iterations', SERVER_FIRST.replace('4096', '1'), /1 iterations/],
    ['endless iterations', SERVER_FIRST.replace('4096', '999999999'), /999999999 iterations/],
    ['nonsense', 'hello', /another login/],
  ])('a server with %s is refused', async (_, message, reason) => {
    expect(await pencil().next(Buffer.from(message))).toMatchObject({ left: expect.stringMatching(reason) });
  });

  test('a server that signs wrong is refused', async () => {
    const conversation = pencil();
    await conversation.next(Buffer.from(SERVER_FIRST));
    for (const last of [SERVER_LAST.replace('6rri', '7rri'), 'v=', 'hello']) {
      expect(await conversation.next(Buffer.from(last))).toMatchObject({
        left: expect.stringContaining('password'),
      });
    }
  });
});

const USER = { username: 'us,er=1', password: 'open sesame' };
const params = (sasl_mechanism: string | null, password = USER.password) => ({
  security_protocol: 'SASL_PLAINTEXT',
  sasl_mechanism,
  sasl_plain_username: USER.username,
  sasl_plain_password: password,
});

describe.each([null, 'PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'])('a login with %s', (mechanism) => {
  test('is made on each connection, before anything else', async () => {
    const kafka = await newKafka({ brokers: 2, partitions: 2, user: USER });
    const output = await openOutput(kafka, { ...params(mechanism), partitioner: 'round_robin' });
    expect(await output.write(textBatch(['a', 'b']), never)).toMatchObject({ right: { written: 2 } });
    for (const node of [1, 2]) {
      const apis = kafka.seen.filter((seen) => seen.node === node).map(({ api }) => api);
      expect(apis.slice(0, 3)).toEqual([18, 17, 36]);
    }
  });

  test('with a wrong password fails the opening and shows no password', async () => {
    const kafka = await newKafka({ user: USER });
    const { result } = await tryOpen({ bootstrap_servers: kafka.servers, ...params(mechanism, 'not it') });
    expect(result).toMatchObject({
      left: {
        code: 'output_failed',
        message: expect.stringMatching(/the login failed.*error 58.*sasl_plain_password/),
      },
    });
    expect(JSON.stringify(result)).not.toMatch(/not it|sesame/);
  });
});

test('a broker that signs without the password is not trusted', async () => {
  const kafka = await newKafka({ user: USER });
  kafka.forgets = true;
  const { result } = await tryOpen({ bootstrap_servers: kafka.servers, ...params('SCRAM-SHA-512') });
  expect(result).toMatchObject({ left: { message: expect.stringContaining('does not know the password') } });
});

test('a broker without logins says so', async () => {
  const kafka = await newKafka();
  const { result } = await tryOpen({ bootstrap_servers: kafka.servers, ...params('PLAIN') });
  expect(result).toMatchObject({ left: { message: expect.stringContaining('UNSUPPORTED_SASL_MECHANISM') } });
});

test('a broker that echoes the password does not get it into the message', async () => {
  const kafka = await newKafka({ user: { ...USER, username: 'other' } });
  kafka.user = { username: 'other', password: 'x' };
  kafka.verdict = () => ({ error: 29, message: `no right for ${USER.password}` });
  kafka.user = USER;
  const output = await openOutput(kafka, params('PLAIN'));
  const result = await output.write(textBatch(['a']), never);
  expect(result).toMatchObject({
    left: { code: 'rejected', message: expect.stringContaining('no right for ***') },
  });
});

test('a login that runs out is made again on a new connection', async () => {
  const kafka = await newKafka({ user: USER });
  kafka.lifetime_ms = 1;
  const output = await openOutput(kafka, params('SCRAM-SHA-256'));
  const logins = (): number => kafka.seen.filter(({ api }) => api === 17).length;
  const before = logins();
  for (let write = 0; write < 3; write++) {
    await new Promise((resolve) => setTimeout(resolve, 3));
    expect(await output.write(textBatch(['a']), never)).toMatchObject({ right: { written: 1 } });
  }
  expect(logins()).toBe(before + 3);
});
