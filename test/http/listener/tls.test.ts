import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../../src/adapters/files/files.js';
import { systemClock } from '../../../src/adapters/systemClock.js';
import { loadTls, type SslSettings, type Tls } from '../../../src/http/listener/tls.js';
import { hasPrograms, needs } from '../../support/programs.js';
import {
  AUTHORITY,
  type CertificateFolder,
  CLIENT,
  certificateFolder,
  SERVER,
} from '../../support/servers/certificates.js';

const OFF: SslSettings = { enabled: false, verify_mode: null, ca_cert: null, cert: null, cert_key: null };
const load = (ssl: Partial<SslSettings>) => loadTls({ ...OFF, ...ssl }, nodeFiles, systemClock);

test('HTTPS that is off reads nothing', async () => {
  expect(await load({ cert: '/nowhere', cert_key: '/nowhere' })).toEqual(E.right(null));
});

test('HTTPS without certificate is never plain HTTP', async () => {
  expect(await load({ enabled: true })).toMatchObject({ left: { code: 'invalid' } });
});

(hasPrograms('openssl') ? describe : describe.skip)(`certificates ${needs('openssl')}`, () => {
  let files: CertificateFolder;
  beforeAll(() => {
    files = certificateFolder();
    files.make('ca', { by: null, extensions: AUTHORITY });
    files.make('server', { extensions: SERVER });
    files.make('other', { extensions: SERVER });
    files.make('over', { extensions: SERVER, days: -1 });
    files.make('nearly', { extensions: SERVER, days: 3 });
    files.make('client', { extensions: CLIENT });
    files.openssl('ec', '-in', 'server.key', '-aes256', '-passout', 'pass:x', '-out', 'old-locked.key');
    files.openssl('pkcs8', '-topk8', '-in', 'server.key', '-passout', 'pass:x', '-out', 'locked.key');
    files.openssl('x509', '-in', 'server.pem', '-outform', 'DER', '-out', 'server.der');
    files.openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:512',
      '-nodes',
      '-subj',
      '/CN=weak',
      '-keyout',
      'weak.key',
      '-out',
      'weak.pem',
    );
    files.write('chain.pem', `comment\n${files.text('server.pem')}${files.text('ca.pem')}`);
    files.write(
      'broken.pem',
      files.text('server.pem').replace(/\n[A-Za-z0-9+/]{20}/, '\nAAAAAAAAAAAAAAAAAAAA'),
    );
    files.write('empty.pem', '');
  });
  afterAll(() => files.remove());

  const at = (cert: string, cert_key: string, more: Partial<SslSettings> = {}) =>
    load({ enabled: true, cert: files.path(cert), cert_key: files.path(cert_key), ...more });
  const loaded = async (...given: Parameters<typeof at>): Promise<Tls> => {
    const tls = await at(...given);
    if (E.isLeft(tls) || tls.right === null) throw new Error(JSON.stringify(tls));
    return tls.right;
  };

  test('a certificate and its key are taken, with the chain behind it', async () => {
    expect(await loaded('server.pem', 'server.key')).toMatchObject({ clients: 'none', warnings: [] });
    expect(await loaded('chain.pem', 'server.key')).toMatchObject({ warnings: [] });
  });

  test('TLS is 1.2 at least, with forward secrecy, and is not negotiated anew', async () => {
    const { options } = await loaded('server.pem', 'server.key');
    expect(options.minVersion).toBe('TLSv1.2');
    expect(options.ciphers?.split(':').every((name) => /^(TLS_|ECDHE-)/.test(name))).toBe(true);
    expect((options.secureOptions ?? 0) & 0x40000000).not.toBe(0);
  });

  test.each([
    ['optional', true],
    ['required', true],
    ['none', undefined],
  ] as const)('verify_mode %s asks for client certificates: %s', async (verify_mode, requestCert) => {
    const tls = await loaded('server.pem', 'server.key', { verify_mode, ca_cert: files.path('ca.pem') });
    expect([tls.clients, tls.options.requestCert]).toEqual([verify_mode, requestCert]);
  });

  test.each<[string, string, string, Partial<SslSettings>, string, RegExp]>([
    [
      'that is not there',
      'nope.pem',
      'server.key',
      {},
      'not_found',
      /cannot read .*nope\.pem: it does not exist.*server\.ssl\.cert\)/,
    ],
    [
      'of a key that is not there',
      'server.pem',
      'nope.key',
      {},
      'not_found',
      /nope\.key: it does not exist.*server\.ssl\.cert_key\)/,
    ],
    ['that is a folder', '.', 'server.key', {}, 'unreadable', /it is a directory.*PEM.*server\.ssl\.cert\)/],
    [
      'that is not PEM',
      'server.der',
      'server.key',
      {},
      'unreadable',
      /server\.der.*PEM.*server\.ssl\.cert\)/,
    ],
    ['that is empty', 'empty.pem', 'server.key', {}, 'invalid', /empty\.pem contains no certificate in PEM/],
    [
      'that is a key',
      'server.key',
      'server.key',
      {},
      'invalid',
      /server\.key contains no certificate in PEM, it holds a private key/,
    ],
    [
      'that is damaged',
      'broken.pem',
      'server.key',
      {},
      'invalid',
      /broken\.pem contains a certificate that cannot be parsed/,
    ],
    [
      'of a key that is a certificate',
      'server.pem',
      'server.pem',
      {},
      'invalid',
      /server\.pem is not a private key in PEM/,
    ],
    [
      'of a key with a passphrase',
      'server.pem',
      'locked.key',
      {},
      'invalid',
      /locked\.key is a key with a passphrase.*openssl pkey/,
    ],
    ['of a key with a passphrase, old form', 'server.pem', 'old-locked.key', {}, 'invalid', /passphrase/],
    [
      'of a key of another certificate',
      'server.pem',
      'other.key',
      {},
      'invalid',
      /other\.key is not the key of the first certificate in .*server\.pem/,
    ],
    [
      'whose key is too weak',
      'weak.pem',
      'weak.key',
      {},
      'invalid',
      /weak\.pem cannot be used for TLS: .*too small/,
    ],
  ])('a file %s is named, with the setting and what to do', async (_name, cert, key, more, code, message) => {
    expect(await at(cert, key, more)).toMatchObject({
      left: { code, message: expect.stringMatching(message) },
    });
  });

  test.each([
    ['nope.pem', 'not_found', /nope\.pem.*server\.ssl\.ca_cert\)/],
    ['client.key', 'invalid', /client\.key contains no certificate.*server\.ssl\.ca_cert\)/],
  ])('authorities in %s: %s', async (name, code, message) => {
    const more = { verify_mode: 'required', ca_cert: files.path(name) } as const;
    expect(await at('server.pem', 'server.key', more)).toMatchObject({
      left: { code, message: expect.stringMatching(message) },
    });
  });

  test('no error shows anything of a key', async () => {
    const secret = files.text('server.key').split('\n')[1] ?? '';
    expect(secret.length).toBeGreaterThan(20);
    for (const [cert, key] of [
      ['server.key', 'server.key'],
      ['other.pem', 'server.key'],
      ['broken.pem', 'server.key'],
    ])
      expect(JSON.stringify(await at(cert ?? '', key ?? ''))).not.toContain(secret);
  });

  test.each([
    ['over.pem', 'over.key', /over\.pem has expired on \d{4}-\d\d-\d\d/],
    ['nearly.pem', 'nearly.key', /nearly\.pem expires on .*SIGHUP/],
  ])('%s is served and spoken of', async (cert, key, warning) => {
    const { warnings } = await loaded(cert, key);
    expect(warnings).toEqual([expect.stringMatching(warning)]);
  });

  test('a certificate of tomorrow is spoken of', async () => {
    const clock = { now: () => 0 };
    const ssl = { ...OFF, enabled: true, cert: files.path('server.pem'), cert_key: files.path('server.key') };
    expect(await loadTls(ssl, nodeFiles, clock)).toMatchObject({
      right: { warnings: [expect.stringMatching(/not valid before/)] },
    });
  });
});
