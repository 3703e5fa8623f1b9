import { type ProgramServer, programServer } from './programServer.js';

/**
 * A collector of events: it appends each whole body to its file, then replies 201. `control`: `password` that
 * the user `writer` needs, `isReadOnly` (403) and `isFull` (507).
 */
const PROGRAM = `
const fs = require('node:fs');
const { gunzipSync } = require('node:zlib');
const file = fs.openSync(folder + '/arrived', 'a');
const refusalOf = (request) => {
  const { password, isReadOnly, isFull } = JSON.parse(fs.readFileSync(folder + '/control', 'utf8'));
  const wanted = 'Basic ' + Buffer.from('writer:' + password).toString('base64');
  if (password !== undefined && request.headers.authorization !== wanted) return [401, 'wrong password'];
  if (isReadOnly) return [403, 'the user may only read'];
  return isFull ? [507, 'no space left on device'] : null;
};
const server = require('node:http').createServer((request, response) => {
  const parts = [];
  request.on('error', () => {});
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const refusal = refusalOf(request);
    if (refusal !== null) return response.writeHead(refusal[0]).end(refusal[1]);
    const body = Buffer.concat(parts);
    fs.writeSync(file, request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body);
    response.writeHead(201).end('taken');
  });
});
server.keepAliveTimeout = 0;
server.listen(Number(port), '127.0.0.1', () => console.log(server.address().port));
`;

export const startCollector = (): Promise<ProgramServer> => programServer(PROGRAM);
