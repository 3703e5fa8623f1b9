import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type Instance, makeInstance } from '../../support/instance.js';
import { hasPrograms, needs } from '../../support/programs.js';
import {
  AUTHORITY,
  type CertificateFolder,
  certificateFolder,
  SERVER,
} from '../../support/servers/certificates.js';

interface Answer {
  readonly status: number;
  readonly cookie: string;
  readonly body: unknown;
  /** Serial number of the certificate that the service showed. */
  readonly serial: string;
}

const RIGHT = { authorization: `Basic ${Buffer.from('ann:pw').toString('base64')}` };

(hasPrograms('openssl') ? describe : describe.skip)(`the daemon over HTTPS ${needs('openssl')}`, () => {
  let files: CertificateFolder;
  let instance: Instance | null = null;
  beforeAll(() => {
    files = certificateFolder();
    files.make('ca', { by: null, extensions: AUTHORITY });
    files.make('first', { extensions: SERVER });
    files.make('second', { extensions: SERVER });
  });
  afterAll(() => files.remove());
  afterEach(async () => {
    await instance?.remove();
    instance = null;
  });

  /** Puts a certificate and its key where the settings say. */
  const install = (cert: string, key = cert): void => {
    files.write('cert.pem', files.text(`${cert}.pem`));
    files.write('cert.key', files.text(`${key}.key`));
  };

  const begin = async (): Promise<Instance> => {
    const made = await makeInstance({ startup: '[]\n', generators: {} });
    instance = made;
    const file = join(made.folder, 'spate.yml');
    const ssl = `ssl: {enabled: true, cert: ${files.path('cert.pem')}, cert_key: ${files.path('cert.key')}}`;
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('server: {', `server: {auth: {user: ann, password: pw}, ${ssl}, `));
    return made;
  };

  const ask = (
    made: Instance,
    method: string,
    path: string,
    headers: Record<string, string> = {},
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const url = `${made.url.replace('http:', 'https:')}${path}`;
      const sent = request(url, { method, headers, ca: files.text('ca.pem'), agent: false }, (response) => {
        const { serialNumber } = (response.socket as TLSSocket).getPeerCertificate();
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          body += chunk;
        });
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            cookie: (response.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '',
            body: JSON.parse(body),
            serial: serialNumber,
          }),
        );
      });
      sent.on('error', reject);
      sent.end();
    });

  test('serves, logs in and out, and announces itself with https', async () => {
    install('first');
    const made = await begin();
    await made.start();
    expect(made.program().stderr()).toMatch(/listens on https:\/\/127\.0\.0\.1:\d+/);
    expect((await ask(made, 'GET', '/generators/')).status).toBe(401);
    const { cookie, body } = await ask(made, 'POST', '/auth/login', RIGHT);
    expect(body).toBe('ann');
    expect((await ask(made, 'GET', '/generators/', { cookie })).status).toBe(200);
    expect((await ask(made, 'POST', '/auth/logout', { cookie })).status).toBe(200);
    expect((await ask(made, 'GET', '/generators/', { cookie })).status).toBe(401);
    expect(await made.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  test('SIGHUP reads a renewed certificate, keeps sessions, and refuses one that cannot be used', async () => {
    install('first');
    const made = await begin();
    await made.start();
    const { serial, cookie } = await ask(made, 'POST', '/auth/login', RIGHT);
    install('second', 'first');
    made.program().child.kill('SIGHUP');
    await made
      .program()
      .saw(/not reloaded: .*cert\.key is not the key of the first certificate in .*cert\.pem/);
    expect((await ask(made, 'GET', '/auth/me', { cookie })).serial).toBe(serial);
    install('second');
    made.program().child.kill('SIGHUP');
    const renewed = await eventually(async () => {
      const answer = await ask(made, 'GET', '/auth/me', { cookie }).catch(() => null);
      return answer === null || answer.serial === serial ? null : answer;
    }, 'another certificate');
    expect(renewed).toMatchObject({ status: 200, body: 'ann' });
  });

  test('a certificate that cannot be used ends the start, with the file and what to do', async () => {
    files.write('cert.pem', 'nonsense');
    const made = await begin();
    await expect(made.start()).rejects.toThrow(/ended with 1/);
    expect(made.program().stderr()).toMatch(/cert\.pem contains no certificate in PEM.*server\.ssl\.cert/);
  });
});
