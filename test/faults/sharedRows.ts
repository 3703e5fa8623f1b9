import type { Fault, OutputName } from './table.js';

/** Rows that are the same whatever a peer speaks, and the fault of the table that each belongs to. */
export const SHARED_ROWS = {
  killed: {
    fault: 'refused',
    title:
      'a server that is killed gets what comes after it is back; what could not wait is in the dead letters',
  },
  'killed twice': {
    fault: 'refused',
    title: 'a server that goes twice among 50,000 events, while retries last, loses none',
  },
  reset: {
    fault: 'reset mid-batch',
    title: 'connections that break in the middle of each batch tear no event',
  },
  slow: {
    fault: 'slow',
    title: 'a slow peer slows the producer down; nothing fails or is retried',
  },
  frozen: {
    fault: 'hung',
    title: 'a frozen server holds the producer back; attempts end in time, and the thawed one gets the rest',
  },
  stopped: {
    fault: 'hung',
    title: 'a stop while the server is frozen accounts for everything',
  },
  mute: {
    fault: 'hung',
    title: 'replies that are lost: an event may be there twice, none is missing',
  },
} as const satisfies Readonly<Record<string, { readonly fault: Fault; readonly title: string }>>;
export type SharedRow = keyof typeof SHARED_ROWS;

const all = (reason: string): Readonly<Record<SharedRow, string>> => {
  const rows = Object.keys(SHARED_ROWS) as readonly SharedRow[];
  return Object.fromEntries(rows.map((row) => [row, reason])) as Record<SharedRow, string>;
};

/** Of outputs over a connection without replies. */
const NO_REPLIES: Readonly<Partial<Record<SharedRow, string>>> = {
  reset: 'nothing tells what of a batch has come, so it is sent again: it has a row of its own',
  mute: 'there are no replies to be lost',
};

/** Why an output lacks shared rows. Every other has them all. */
export const LACKING: Readonly<Partial<Record<OutputName, Readonly<Partial<Record<SharedRow, string>>>>>> = {
  file: all('it has no server behind a wire: files, pipes and devices make the faults'),
  s3: { mute: 'a retry replaces its object, so no reply may be lost for good: it has a row of its own' },
  stdout: all('it has no server behind a wire: the reader of the stream makes the faults'),
  syslog: NO_REPLIES,
  tcp: NO_REPLIES,
  udp: all('it has no connection that a wire could fail'),
};
