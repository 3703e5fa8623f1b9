import { type ProgramServer, programServer } from './programServer.js';

/**
 * A server that speaks as OpenSearch and Elasticsearch do, after their published documentation of `GET /`, the bulk
 * API (op types `index` and `create`, data streams, results per item, `filter_path`), the errors of the bulk API, and
 * the security plugin (401, 403). Neither can run here. It keeps each indexed document as a line of its file.
 *
 * `control`: `password` of the user `writer`, `apiKey`, `isReadOnly` (403), `isBusy` (429 for the whole request),
 * `isFull` (the block of a full disk), `isDown` (503), `lines` (documents need not be JSON), `unmapped` (a pattern of
 * documents that break the mapping), `busyEvery` (each n-th document meets a full queue), `dataStream` (name).
 */
const PROGRAM = `
const fs = require('node:fs');
const { gunzipSync } = require('node:zlib');
const file = fs.openSync(folder + '/arrived', 'a');
const log = fs.openSync(folder + '/requests', 'a');
let documents = 0;

const failure = (status, type, reason) =>
  [status, { error: { root_cause: [{ type, reason }], type, reason }, status }];

const BLOCK = 'blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block];';

const refusalOf = ({ headers }, control) => {
  const { password, apiKey } = control;
  const wanted = apiKey !== undefined ? 'ApiKey ' + apiKey : 'Basic ' + Buffer.from('writer:' + password).toString('base64');
  if (control.isDown) return [503, '<html><head><title>503 Service Unavailable</title></head></html>'];
  if ((password ?? apiKey) !== undefined && headers.authorization !== wanted) return [401, 'Unauthorized'];
  return null;
};

const resultOf = (op, index, source, number, control) => {
  const _id = String(documents++).padStart(20, '0');
  const failed = (status, type, reason) => ({ _index: index, _id, status, error: { type, reason, index_uuid: '_na_', index } });
  if (control.isFull) return failed(429, 'cluster_block_exception', 'index [' + index + '] ' + BLOCK);
  if (control.busyEvery !== undefined && number % control.busyEvery === 0) {
    return failed(429, 'rejected_execution_exception', 'rejected execution of coordinating operation [queue capacity = 10000]');
  }
  if (control.dataStream === index && op !== 'create') {
    return failed(400, 'illegal_argument_exception', 'only write ops with an op_type of create are allowed in data streams');
  }
  if (control.unmapped !== undefined && new RegExp(control.unmapped).test(source)) {
    return failed(400, 'mapper_parsing_exception', "failed to parse field [n] of type [long] in document with id '" + _id + "'");
  }
  if (!control.lines) {
    try { JSON.parse(source); } catch { return failed(400, 'mapper_parsing_exception', 'failed to parse'); }
  }
  return {
    _index: index, _id, _version: 1, result: 'created', _shards: { total: 2, successful: 1, failed: 0 },
    _seq_no: documents, _primary_term: 1, status: 201,
  };
};

const bulk = (request, url, text, control) => {
  const type = (request.headers['content-type'] ?? '').split(';')[0];
  if (type !== 'application/x-ndjson' && type !== 'application/json') {
    return [406, { error: 'Content-Type header [' + type + '] is not supported', status: 406 }];
  }
  if (control.isReadOnly) {
    return failure(403, 'security_exception', 'no permissions for [indices:data/write/bulk] and User [name=writer]');
  }
  if (control.isBusy) return failure(429, 'circuit_breaking_exception', '[parent] Data too large, data for [<http_request>]');
  const newline = 'The bulk request must be terminated by a newline [\\\\n]';
  if (!text.endsWith('\\n')) return failure(400, 'illegal_argument_exception', newline);
  const lines = text.slice(0, -1).split('\\n');
  const indexed = [];
  const items = [];
  for (let at = 0; at < lines.length; at += 2) {
    let action;
    try { action = JSON.parse(lines[at]); } catch { action = {}; }
    const [op] = Object.keys(action);
    if (op !== 'index' && op !== 'create') {
      return failure(400, 'illegal_argument_exception', 'Malformed action/metadata line [' + (at + 1) + '], expected START_OBJECT');
    }
    if (lines[at + 1] === undefined) return failure(400, 'illegal_argument_exception', 'no requests added');
    const named = decodeURIComponent(url.pathname.split('/').at(-2) ?? '');
    const result = resultOf(op, action[op]._index ?? named, lines[at + 1], items.length + 1, control);
    if (result.error === undefined) indexed.push(lines[at + 1] + '\\n');
    items.push({ [op]: result });
  }
  fs.writeSync(file, indexed.join(''));
  const errors = items.some((item) => Object.values(item)[0].error !== undefined);
  if (!url.searchParams.has('filter_path')) return [200, { took: 1, errors, items }];
  const short = ({ status, error }) =>
    error === undefined ? { status } : { status, error: { type: error.type, reason: error.reason } };
  return [200, { errors, items: items.map((item) => Object.fromEntries(Object.entries(item).map(([op, result]) => [op, short(result)]))) }];
};

const ROOT = {
  name: 'node-1', cluster_name: 'fake', cluster_uuid: 'uuid',
  version: { distribution: 'opensearch', number: '2.11.0' },
  tagline: 'The OpenSearch Project: https://opensearch.org/',
};

const server = require('node:http').createServer((request, response) => {
  const parts = [];
  request.on('error', () => {});
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const control = JSON.parse(fs.readFileSync(folder + '/control', 'utf8'));
    const url = new URL(request.url, 'http://x');
    fs.writeSync(log, request.method + ' ' + request.url + '\\n');
    const body = Buffer.concat(parts);
    const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString('utf8');
    const answer = refusalOf(request, control)
      ?? (url.pathname.endsWith('/_bulk') && request.method === 'POST' ? bulk(request, url, text, control) : [200, ROOT]);
    const [status, reply] = answer;
    const isText = typeof reply === 'string';
    response.writeHead(status, { 'Content-Type': isText ? 'text/plain' : 'application/json' });
    response.end(isText ? reply : JSON.stringify(reply));
  });
});
server.keepAliveTimeout = 0;
server.listen(Number(port), '127.0.0.1', () => console.log(server.address().port));
`;

export const startFakeOpensearch = (): Promise<ProgramServer> => programServer(PROGRAM);
