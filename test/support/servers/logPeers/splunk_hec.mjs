/**
 * HTTP Event Collector as the Splunk documentation describes it ("Format events for HTTP Event Collector", "About HTTP
 * Event Collector Indexer Acknowledgment", "Troubleshoot HTTP Event Collector" with its table of codes): objects one
 * after the other, with any white space between them; events before an invalid one are accepted; `ackId` counts from 0
 * in each channel since the start of the process, and an id that was reported as indexed is forgotten.
 */
const TEXTS = {
  0: [200, 'Success'],
  1: [403, 'Token disabled'],
  2: [401, 'Token is required'],
  4: [403, 'Invalid token'],
  5: [400, 'No data'],
  6: [400, 'Invalid data format'],
  7: [400, 'Incorrect index'],
  10: [400, 'Data channel is missing'],
  11: [400, 'Invalid data channel'],
  12: [400, 'Event field is required'],
  13: [400, 'Event field cannot be blank'],
  14: [400, 'ACK is disabled'],
  15: [400, 'Error in handling indexed fields'],
};

const reply = (code, more = {}) => {
  const [status, text] = TEXTS[code];
  const headers = { 'Content-Type': 'application/json; charset=UTF-8' };
  return { status, headers, body: JSON.stringify({ text, code, ...more }) };
};

/** Objects of a body; the last item is `null` if the rest is no JSON object. */
const objectsOf = (text) => {
  const found = [];
  let [depth, start, isText] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (isText) {
      if (char === 92) at++;
      else if (char === 34) isText = false;
    } else if (char === 34 && depth > 0) isText = true;
    else if (char === 123) {
      if (depth++ === 0) start = at;
    } else if (char === 125 && --depth === 0) {
      try {
        found.push(JSON.parse(text.slice(start, at + 1)));
      } catch {
        return [...found, null];
      }
    } else if (depth === 0 && char > 32) return [...found, null];
  }
  return depth === 0 ? found : [...found, null];
};

const isFlat = (fields) =>
  typeof fields === 'object' &&
  !Array.isArray(fields) &&
  Object.values(fields).every((value) => typeof value !== 'object' || Array.isArray(value));

/** Code of an invalid event, or `null`. */
const faultOf = (one, { bad, indexes = ['main', 'lab'] }) => {
  if (one === null) return 6;
  if (one.event === undefined || one.event === null) return 12;
  if (one.event === '') return 13;
  if (one.index !== undefined && !indexes.includes(one.index)) return 7;
  if (one.fields !== undefined && !isFlat(one.fields)) return 15;
  if (one.time !== undefined && typeof one.time !== 'number') return 6;
  return bad !== undefined && JSON.stringify(one.event).includes(bad) ? 6 : null;
};

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** By channel: the next id, and when each is indexed. */
const channels = new Map();

const channelOf = (name) => {
  if (!channels.has(name)) channels.set(name, { next: 0, indexed: new Map() });
  return channels.get(name);
};

const giveId = (name, { ack_after_ms = 0 }) => {
  const channel = channelOf(name);
  channel.indexed.set(channel.next, performance.now() + ack_after_ms);
  return { ackId: channel.next++ };
};

const acks = (channel, ids) =>
  Object.fromEntries(
    ids.map((id) => {
      const isIndexed = (channel.indexed.get(id) ?? Number.POSITIVE_INFINITY) <= performance.now();
      if (isIndexed) channel.indexed.delete(id);
      return [id, isIndexed];
    }),
  );

export const handle = ({ url, headers, body, state, accept }) => {
  const { token = 'right', use_ack = true } = state;
  if (headers.authorization === undefined) return reply(2);
  if (headers.authorization !== `Splunk ${token}`) return reply(4);
  const name = headers['x-splunk-request-channel'] ?? url.searchParams.get('channel');
  if (name === null && use_ack) return reply(10);
  if (name !== null && !GUID.test(name)) return reply(11);
  if (url.pathname === '/services/collector/ack') {
    if (!use_ack) return reply(14);
    return {
      status: 200,
      body: JSON.stringify({ acks: acks(channelOf(name), JSON.parse(String(body)).acks) }),
    };
  }
  const id = () => (use_ack ? giveId(name, state) : {});
  if (state.discard) return reply(0, id());
  const text = String(body);
  if (text.trim() === '') return reply(5);
  if (url.pathname === '/services/collector/raw') {
    accept(text.trimEnd().split('\n'));
    return reply(0, id());
  }
  if (url.pathname !== '/services/collector/event') return { status: 404, body: 'Not Found' };
  const objects = objectsOf(text);
  const at = objects.findIndex((one) => faultOf(one, state) !== null);
  const good = at < 0 ? objects : objects.slice(0, at);
  accept(good.map(({ event }) => (typeof event === 'string' ? event : JSON.stringify(event))));
  if (at < 0) return reply(0, id());
  const code = faultOf(objects[at], state);
  return reply(code, { 'invalid-event-number': code === 7 ? at + 1 : at });
};
