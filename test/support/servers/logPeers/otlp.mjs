/**
 * A collector of logs as the OTLP specification describes it (OTLP/HTTP: binary and JSON encoding, `partial_success`,
 * `google.rpc.Status` in replies of failed requests), with a decoder of its own for the messages of opentelemetry-proto.
 */
const varintAt = (bytes, at) => {
  let value = 0;
  // Numbers above 2^53 lose digits: only tags and lengths are read.
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[at++];
    if (byte === undefined) throw new Error('the message is cut');
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return [value, at];
  }
};

/** Fields of a message, by number: lists of values. Throws on anything that is not protobuf. */
const message = (bytes) => {
  const fields = {};
  let at = 0;
  while (at < bytes.length) {
    const [tag, afterTag] = varintAt(bytes, at);
    const [number, wire] = [Math.floor(tag / 8), tag % 8];
    let value;
    if (wire === 0) [value, at] = varintAt(bytes, afterTag);
    else if (wire === 1) [value, at] = [bytes.subarray(afterTag, afterTag + 8), afterTag + 8];
    else if (wire === 2) {
      const [length, start] = varintAt(bytes, afterTag);
      at = start + length;
      value = bytes.subarray(start, at);
    } else throw new Error(`wire type ${wire}`);
    if (at > bytes.length) throw new Error('the message is cut');
    if (fields[number] === undefined) fields[number] = [value];
    else fields[number].push(value);
  }
  return fields;
};

const all = (fields, number) => (fields[number] ?? []).map(message);

/** Bodies of the records of a request in protobuf; those that are no text are `?`. */
const protobufBodies = (bytes) =>
  all(message(bytes), 1)
    .flatMap((resourceLogs) => all(resourceLogs, 2))
    .flatMap((scopeLogs) => all(scopeLogs, 2))
    .map((record) => String(all(record, 5)[0]?.[1]?.[0] ?? '?'));

const jsonBodies = (text) =>
  (JSON.parse(text).resourceLogs ?? [])
    .flatMap(({ scopeLogs }) => scopeLogs)
    .flatMap(({ logRecords }) => logRecords)
    .map(({ body }) => body.stringValue ?? '?');

const protobufText = (field, text) => {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([field * 8 + 2, bytes.length]), bytes]);
};

/** A `google.rpc.Status` in the encoding of the request. */
const failed = (status, isJson, text) => ({
  status,
  headers: { 'Content-Type': isJson ? 'application/json' : 'application/x-protobuf' },
  body: isJson ? JSON.stringify({ code: 3, message: text }) : protobufText(2, text),
});

export const handle = ({ url, headers, body, state, accept }) => {
  const { token, bad } = state;
  const isJson = headers['content-type'] === 'application/json';
  if (url.pathname !== '/v1/logs') return { status: 404, body: '404 page not found' };
  if (!isJson && headers['content-type'] !== 'application/x-protobuf') return { status: 415 };
  if (token !== undefined && headers.authorization !== `Bearer ${token}`)
    return failed(401, isJson, 'wrong token');
  if (state.refuse !== undefined) return failed(state.refuse.status, isJson, state.refuse.message);
  const success = { status: 200, headers: { 'Content-Type': headers['content-type'] } };
  if (state.discard) return { ...success, body: isJson ? '{}' : '' };
  let bodies;
  try {
    bodies = isJson ? jsonBodies(String(body)) : protobufBodies(body);
  } catch (thrown) {
    return failed(400, isJson, String(thrown));
  }
  const taken = bad === undefined ? bodies : bodies.filter((one) => !one.includes(bad));
  accept(taken);
  const rejected = bodies.length - taken.length;
  if (rejected === 0) return { ...success, body: isJson ? '{}' : '' };
  if (isJson) {
    const partialSuccess = { rejectedLogRecords: String(rejected), errorMessage: 'bad records' };
    return { ...success, body: JSON.stringify({ partialSuccess }) };
  }
  const inner = Buffer.concat([
    Buffer.from(rejected < 128 ? [8, rejected] : [8, (rejected % 128) | 128, Math.floor(rejected / 128)]),
    protobufText(2, 'bad records'),
  ]);
  return { ...success, body: Buffer.concat([Buffer.from([10, inner.length]), inner]) };
};
