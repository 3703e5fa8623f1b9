import { type ProgramServer, programServer } from './programServer.js';

/**
 * A collector of events: it appends each whole body to its file, then replies 201. With `?run=7` the file is `arrived-7`:
 * what an earlier run left under way comes late. `control`: `password` that the user `writer` needs, `isReadOnly` (403)
 * and `isFull` (507).
 */
const PROGRAM = `
const fs = require('node:fs');
const { gunzipSync } = require('node:zlib');
const files = new Map();
const fileOf = (url) => {
  const run = /[?&]run=([0-9]+)/.exec(url)?.[1];
  const name = run === undefined ? '/arrived' : '/arrived-' + run;
  if (!files.has(name)) files.set(name, fs.openSync(folder + name, 'a'));
  return files.get(name);
};
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
    fs.writeSync(fileOf(request.url), request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body);
    response.writeHead(201).end('taken');
  });
});
server.keepAliveTimeout = 0;
server.listen(Number(port), '127.0.0.1', () => console.log(server.address().port));
`;

export const startCollector = (): Promise<ProgramServer> => programServer(PROGRAM);
