import { type Cut, cutter } from '../cut.js';

const QUOTED = '"((?:[^"\\\\]|\\\\.)*)"';

/**
 * Common and combined log format of Apache and nginx, with an optional virtual host before and anything behind.
 * https://httpd.apache.org/docs/2.4/logs.html
 */
const LINE = new RegExp(
  `^(?:([\\w.-]+(?::\\d+)?) )?(\\S+) (\\S+) (\\S+) \\[([^\\]]{10,40})\\] ${QUOTED} (\\d{3}|-) (\\d+|-)(?: ${QUOTED} ${QUOTED})?(.*)$`,
  's',
);
const REQUEST = /^([A-Z]{1,20}) (\S+) (HTTP\/[\d.]+)$/;

/** Values: vhost, address, identity, user, time, method, path, protocol, status, bytes, referrer, agent, rest. */
export const cutAccess = (record: string): Cut | null => {
  const match = LINE.exec(record);
  if (match === null) return null;
  const [, vhost, address = '', identity = '', user = '', time = '', request = '', status = '', bytes = ''] =
    match;
  const [referrer, agent, rest = ''] = match.slice(9);
  const out = cutter();
  if (vhost !== undefined) {
    out.value('vhost', vhost);
    out.literal(' ');
  }
  out.value('address', address);
  out.literal(' ');
  out.value('identity', identity);
  out.literal(' ');
  out.value('user', user);
  out.literal(' [');
  out.value('time', time);
  out.literal('] "');
  const parts = REQUEST.exec(request);
  if (parts === null) out.value('request', request);
  else {
    out.value('method', parts[1] ?? '');
    out.literal(' ');
    out.value('path', parts[2] ?? '');
    out.literal(' ');
    out.value('protocol', parts[3] ?? '');
  }
  out.literal('" ');
  out.value('status', status);
  out.literal(' ');
  out.value('bytes', bytes);
  if (referrer !== undefined) {
    out.literal(' "');
    out.value('referrer', referrer);
    out.literal('" "');
    out.value('agent', agent ?? '');
    out.literal('"');
  }
  if (rest.trim() !== '') out.value('rest', rest);
  else out.literal(rest);
  return out.done('');
};
