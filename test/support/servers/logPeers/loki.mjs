/**
 * The push API of Loki as its HTTP API documentation describes it: JSON with `streams` of `stream` (labels) and `values`
 * (nanoseconds as text, line, structured metadata), 204, errors as plain text. Of a request with invalid entries the
 * valid ones are kept, and the reply is 400 with the count; an entry that is there already is dropped.
 */
const NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const known = new Set();

const isTexts = (value) =>
  typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'string');

/** What is wrong with the form of a push; `null`: nothing. */
const formFault = ({ streams }) => {
  for (const { stream, values } of streams) {
    if (!isTexts(stream) || Object.keys(stream).length === 0)
      return 'error at least one label pair is required per stream';
    if (!Object.keys(stream).every((name) => NAME.test(name))) return 'error parsing labels';
    for (const [nanos, line, metadata = {}] of values) {
      if (!/^\d{1,19}$/.test(nanos)) return 'Value looks like a timestamp, but is none';
      if (typeof line !== 'string' || !isTexts(metadata))
        return 'Value is string, but can not find closing quote';
    }
  }
  return null;
};

const plain = (status, body) => ({
  status,
  headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  body: `${body}\n`,
});

export const handle = ({ url, headers, body, state, accept }) => {
  const { tenant, bad, oldest = '0' } = state;
  if (url.pathname !== '/loki/api/v1/push') return plain(404, '404 page not found');
  if (tenant !== undefined && headers['x-scope-orgid'] === undefined) return plain(401, 'no org id');
  if (tenant !== undefined && headers['x-scope-orgid'] !== tenant)
    return plain(403, 'this tenant may not write');
  if (headers['content-type'] !== 'application/json') return plain(400, 'snappy: corrupt input');
  if (state.refuse !== undefined) return plain(state.refuse.status, state.refuse.message);
  if (state.discard) return { status: 204 };
  let push;
  try {
    push = JSON.parse(String(body));
  } catch (thrown) {
    return plain(400, String(thrown));
  }
  if (push.streams.length === 0)
    return plain(422, 'error at least one valid stream is required for ingestion');
  const fault = formFault(push);
  if (fault !== null) return plain(400, fault);
  const taken = [];
  const ignored = [];
  let total = 0;
  for (const { stream, values } of push.streams) {
    for (const [nanos, line] of values) {
      total++;
      if (BigInt(nanos) < BigInt(oldest) || (bad !== undefined && line.includes(bad))) {
        ignored.push(
          `entry with timestamp ${nanos} ignored, reason: 'entry too far behind, oldest acceptable timestamp is: ${oldest}',`,
        );
        continue;
      }
      const key = `${JSON.stringify(stream)} ${nanos} ${line}`;
      if (!known.has(key)) taken.push(line);
      known.add(key);
    }
  }
  accept(taken);
  if (ignored.length === 0) return { status: 204 };
  return plain(
    400,
    [...ignored.slice(0, 10), `user 'lab', total ignored: ${ignored.length} out of ${total}`].join('\n'),
  );
};
