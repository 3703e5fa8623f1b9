import { deserialize, serialize } from 'node:v8';
import type { PluginSource } from '../domain/thirdParty.js';
import type { ToWorker } from './protocol.js';

export interface ChildOptions {
  readonly name: string;
  readonly heap_mb: number;
  /** Memory of the child outside of the heap of its thread. */
  readonly memory_mb: number;
  readonly stepsBack: boolean;
  readonly allow_subprocess: boolean;
  /** Files of third-party plugins. */
  readonly plugins: readonly PluginSource[];
}

/** Stands for counters, which processes cannot share: the child has its own and sends copies under this number. */
export interface CountersMark {
  readonly number: number;
  readonly bytes: number;
}

type Marked<M> = M extends { readonly stats: SharedArrayBuffer }
  ? Omit<M, 'stats'> & { readonly stats: CountersMark }
  : M extends { readonly type: 'start' }
    ? Omit<M, 'job'> & {
        readonly job: Omit<Extract<ToWorker, { type: 'start' }>['job'], 'stats'> & {
          readonly stats: CountersMark;
        };
      }
    : M;

/** A message to a thread, with marks instead of shared memory. */
export type MarkedMessage = Marked<ToWorker>;

export type ToChild =
  | { readonly type: 'open'; readonly options: ChildOptions }
  | { readonly type: 'message'; readonly message: MarkedMessage };

/** Messages of an isolated process: those of its thread, and copies of its shared memory. */
export type FromChild =
  | { readonly type: 'message'; readonly message: unknown }
  | {
      readonly type: 'pulse';
      /** The slots of the heartbeat. */
      readonly heartbeat: readonly number[];
      /** Memory of the process. */
      readonly resident_bytes: number;
      /** Counters that have changed: their number, bytes as base64. */
      readonly counters: readonly (readonly [number: number, bytes: string])[];
    }
  | { readonly type: 'error'; readonly reason: string }
  | { readonly type: 'exit'; readonly code: number };

/** To the child in V8's format. */
export const encodeToChild = (message: ToChild): Uint8Array => serialize(message);
export const decodeToChild = (frame: Uint8Array): ToChild => deserialize(frame) as ToChild;

/** From the child as JSON: scripts can write to the channel, and V8's format is unsafe for untrusted input. */
export const encodeFromChild = (message: FromChild): Uint8Array => Buffer.from(JSON.stringify(message));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Converts the chunks of a preview answer; other values are returned unchanged. */
const mapChunks = (value: unknown, convert: (chunk: unknown) => unknown): unknown => {
  if (!isObject(value) || value['type'] !== 'preview.done' || !Array.isArray(value['chunks'])) return value;
  const chunks: readonly unknown[] = value['chunks'];
  return { ...value, chunks: chunks.map(convert) };
};

/** Encodes bytes for JSON. */
export const packMessage = (value: unknown): unknown =>
  mapChunks(value, (chunk) => (chunk instanceof Uint8Array ? Buffer.from(chunk).toString('base64') : null));

/** Decodes bytes; the message is still unchecked. */
export const unpackMessage = (value: unknown): unknown =>
  mapChunks(value, (chunk) => (typeof chunk === 'string' ? Buffer.from(chunk, 'base64') : null));

/** The run that counters belong to, and the patch that brought them. Null when its start brought them. */
export interface CountersOwner {
  readonly run: number;
  readonly request: number | null;
}

/** Whether this message of a thread is the last to change the counters. */
export const isOver = ({ run, request }: CountersOwner, message: unknown): boolean => {
  if (!isObject(message) || message['run'] !== run) return false;
  if (message['type'] === 'patched') return (message['request'] === request) === (message['error'] !== null);
  return message['type'] === 'ended' || message['type'] === 'failed';
};

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

const isCountersCopy = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && isNumber(value[0]) && typeof value[1] === 'string';

const isList = (value: unknown, check: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(check);

const isFromChild = (value: unknown): value is FromChild => {
  if (!isObject(value)) return false;
  switch (value['type']) {
    case 'message':
      return true;
    case 'pulse':
      return (
        isList(value['heartbeat'], isNumber) &&
        isNumber(value['resident_bytes']) &&
        isList(value['counters'], isCountersCopy)
      );
    case 'error':
      return typeof value['reason'] === 'string';
    case 'exit':
      return isNumber(value['code']);
    default:
      return false;
  }
};

/** Decodes a message of a child. Returns null for a malformed one and never throws. */
export const decodeFromChild = (frame: Uint8Array): FromChild | null => {
  try {
    const value: unknown = JSON.parse(Buffer.from(frame).toString('utf8'));
    return isFromChild(value) ? value : null;
  } catch {
    return null;
  }
};
