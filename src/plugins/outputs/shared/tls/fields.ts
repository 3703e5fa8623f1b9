import { boolean, defaulted, givenTogether, lazily, optional, path, text } from '../../../../schema/index.js';

export const SERVER_NAME_HELP = 'Server name for SNI and certificate verification.';

/** Fields of outputs that speak TLS; `readTls` reads what they name. */
export const tlsFields = lazily(() => ({
  verify: defaulted(boolean(), true, { help: 'Whether to verify the certificate of the server.' }),
  ca_cert: optional(path(), { help: 'Certificates of trusted authorities, PEM file.', reads: 'file' }),
  client_cert: optional(path(), { help: 'Client certificate, PEM file.', reads: 'file' }),
  client_cert_key: optional(path(), { help: 'Key of `client_cert`, PEM file.', reads: 'file' }),
  server_host_name: optional(text(), { help: SERVER_NAME_HELP, extension: true }),
}));

export const certificateWithKey = givenTogether('client_cert', 'client_cert_key', {
  message: 'is required: set certificate and key together',
});
