import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from '../programs.js';

export interface CertificateOptions {
  /** Name of the authority in the folder; `null`: self-signed. */
  readonly by?: string | null;
  /** Extensions as OpenSSL's config writes them. */
  readonly extensions?: readonly string[];
  /** Validity from now on; negative: expired. */
  readonly days?: number;
}

/** Certificates for tests, made by openssl in a temporary folder. */
export interface CertificateFolder {
  readonly path: (name: string) => string;
  readonly text: (name: string) => string;
  readonly write: (name: string, text: string) => void;
  /** Makes `<name>.pem` and `<name>.key`. */
  readonly make: (name: string, options?: CertificateOptions) => void;
  readonly openssl: (...args: readonly string[]) => void;
  readonly remove: () => void;
}

export const certificateFolder = (): CertificateFolder => {
  const folder = mkdtempSync(join(tmpdir(), 'spate-certificates-'));
  const openssl = (...args: readonly string[]): void => {
    execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  };
  const path = (name: string): string => join(folder, name);
  const write = (name: string, text: string): void => writeFileSync(path(name), text);
  return {
    path,
    write,
    openssl,
    text: (name) => readFileSync(path(name), 'utf8'),
    make: (name, { by = 'ca', extensions = [], days = 100 } = {}) => {
      openssl('ecparam', '-genkey', '-name', 'prime256v1', '-noout', '-out', `${name}.key`);
      openssl('req', '-new', '-subj', `/CN=${name}`, '-key', `${name}.key`, '-out', `${name}.csr`);
      write(`${name}.ext`, extensions.join('\n'));
      const signer = by === null ? ['-signkey', `${name}.key`] : ['-CA', `${by}.pem`, '-CAkey', `${by}.key`];
      openssl(
        ...[
          'x509',
          '-req',
          '-in',
          `${name}.csr`,
          ...signer,
          '-set_serial',
          String(1 + Math.floor(performance.now())),
        ],
        ...['-days', String(days), '-extfile', `${name}.ext`, '-out', `${name}.pem`],
      );
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

/** Extensions of an authority, of a server on this machine, and of a client. */
export const AUTHORITY = ['basicConstraints=critical,CA:TRUE'];
export const SERVER = ['subjectAltName=IP:127.0.0.1,DNS:localhost', 'extendedKeyUsage=serverAuth'];
export const CLIENT = ['extendedKeyUsage=clientAuth'];
