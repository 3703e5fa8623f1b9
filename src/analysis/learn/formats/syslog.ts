import { type Cut, cutter } from '../cut.js';
import { isLevel } from '../mine/header.js';
import { cutCef } from './cef.js';
import { cutJson } from './json.js';
import { cutPairs } from './pairs.js';

/** RFC 3164 with its own or an ISO 8601 time, as syslog daemons store it. */
const OLD =
  /^(<\d{1,3}>)?((?:[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2}(?:\.\d{1,6})?)|(?:\d{4}-\d{2}-\d{2}T[\d:.,]{8,18}(?:Z|[+-]\d{2}:?\d{2}))) (?:(\S*[^\s:]) )?(.*)$/s;
/** RFC 5424, section 6. */
const NEW =
  /^<(\d{1,3})>(\d{1,2}) (\S+) (\S+) (\S+) (\S+) (\S+) (-|(?:\[(?:[^\]\\"]|\\.|"(?:[^"\\]|\\.)*")*\])+)(?: (.*))?$/s;
const TAG = /^([^\s:[\]=]{1,64})(?:\[(\d+)\])?(: ?)(.*)$/s;

/** Whether words are not a level, or the words and numbers of a message. */
const isHostAndProgram = (host: string | undefined, program = ''): boolean =>
  host !== undefined && !isLevel(host) && !isLevel(program) && /^[A-Za-z_/(]/.test(program);

/** The message as JSON, CEF or pairs; else one value. */
const putMessage = (out: ReturnType<typeof cutter>, text: string): void => {
  const inner = cutJson(text) ?? cutCef(text) ?? cutPairs(text);
  if (inner === null) out.value('message', text);
  else out.insert(inner);
};

const cutNew = (record: string): Cut | null => {
  const match = NEW.exec(record);
  if (match === null) return null;
  const [, priority = '', version = '', ...fields] = match;
  const message = fields.pop();
  const out = cutter();
  out.literal('<');
  out.value('priority', priority);
  out.literal(`>${version} `);
  const names = ['time', 'host', 'program', 'pid', 'message_id', 'data'];
  for (const [at, name] of names.entries()) {
    if (at > 0) out.literal(' ');
    out.value(name, fields[at] ?? '');
  }
  if (message !== undefined) {
    out.literal(' ');
    putMessage(out, message);
  }
  return out.done(fields[2] ?? '');
};

const cutOld = (record: string): Cut | null => {
  const match = OLD.exec(record);
  if (match === null) return null;
  const [, priority, time = '', host, rest = ''] = match;
  // `CEF:0|` looks like the tag of a program.
  const isCef = /^CEF:\d/.test(rest);
  const tag = isCef ? null : TAG.exec(rest);
  // Other programs begin their lines with a time and a word, too, or with a time, a level and a colon.
  const isBare = priority === undefined && /^\d/.test(time);
  if (tag === null && !isCef && (host === undefined || isBare)) return null;
  if (tag !== null && isBare && tag[2] === undefined && !isHostAndProgram(host, tag[1])) return null;
  const out = cutter();
  if (priority !== undefined) {
    out.literal('<');
    out.value('priority', priority.slice(1, -1));
    out.literal('>');
  }
  out.value('time', time);
  out.literal(' ');
  if (host !== undefined) {
    out.value('host', host);
    out.literal(' ');
  }
  if (tag === null) {
    putMessage(out, rest);
    return out.done('');
  }
  const [, program = '', pid, colon = '', message = ''] = tag;
  out.value('program', program);
  if (pid !== undefined) {
    out.literal('[');
    out.value('pid', pid);
    out.literal(']');
  }
  out.literal(colon);
  putMessage(out, message);
  return out.done(program);
};

/** Lines of syslog (RFC 5424, RFC 3164); each program is a kind of its own. */
export const cutSyslog = (record: string): Cut | null => cutNew(record) ?? cutOld(record);
