import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import type { Program } from './instance.js';
import { ROOT } from './sources.js';

/** A program that runs with these variables can be traced. */
export const TRACED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

/** Functions of a script, as V8 counts their calls (Chrome DevTools Protocol, `Profiler.ScriptCoverage`). */
export interface ScriptCalls {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
  }[];
}

/** Sends a command of the protocol; its result. */
export type Inspect = (method: string, params?: object) => Promise<unknown>;

export const countCalls = async (inspect: Inspect): Promise<void> => {
  await inspect('Profiler.enable');
  await inspect('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
};

/** What was called since the last time. */
export const takeCalls = async (inspect: Inspect): Promise<readonly ScriptCalls[]> =>
  ((await inspect('Profiler.takePreciseCoverage')) as { readonly result: readonly ScriptCalls[] }).result;

export interface Trace {
  /** Files of ours whose functions were entered since the last call: on the main thread and on the others. */
  readonly take: () => Promise<{ readonly main: ReadonlySet<string>; readonly threads: ReadonlySet<string> }>;
  readonly end: () => void;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly params?: { readonly sessionId: string; readonly message: string };
}

/** Traces a program that runs with `TRACED`, and every thread that it starts from now on. */
export const traceProgram = async (program: Program): Promise<Trace> => {
  const [address] = await program.saw(/ws:\/\/\S+/);
  const socket = new WebSocket(address);
  await new Promise((opened, failed) => socket.once('open', opened).once('error', failed));
  const answers = new Map<number, (result: unknown) => void>();
  const threads = new Map<string, Inspect>();
  const joining: Promise<void>[] = [];
  let last = 0;
  /** Commands through a socket, or wrapped in another session's command. */
  const sender =
    (post: (text: string) => void): Inspect =>
    (method, params = {}) =>
      new Promise((answer) => {
        last += 1;
        answers.set(last, answer);
        post(JSON.stringify({ id: last, method, params }));
      });
  const main = sender((text) => socket.send(text));
  const onThread = async (sessionId: string): Promise<void> => {
    const thread = sender((message) => void main('NodeWorker.sendMessageToWorker', { sessionId, message }));
    await countCalls(thread);
    threads.set(sessionId, thread);
    await thread('Runtime.runIfWaitingForDebugger');
  };
  const onMessage = ({ id, method, result, params }: Message): void => {
    if (id !== undefined) {
      answers.get(id)?.(result);
      answers.delete(id);
    } else if (method === 'NodeWorker.attachedToWorker') joining.push(onThread(params?.sessionId ?? ''));
    else if (method === 'NodeWorker.detachedFromWorker') threads.delete(params?.sessionId ?? '');
    else if (method === 'NodeWorker.receivedMessageFromWorker') onMessage(JSON.parse(params?.message ?? ''));
  };
  socket.on('message', (data) => onMessage(JSON.parse(String(data))));
  await countCalls(main);
  await main('NodeWorker.enable', { waitForDebuggerOnStart: true });
  return {
    take: async () => {
      await Promise.all(joining);
      const ofThreads = await Promise.all([...threads.values()].map(takeCalls));
      return { main: entered(await takeCalls(main)), threads: entered(ofThreads.flat()) };
    },
    end: () => socket.close(),
  };
};

const entered = (scripts: readonly ScriptCalls[]): ReadonlySet<string> =>
  new Set(
    scripts.flatMap(({ url, functions }) => {
      const built = builtOf(url);
      if (built === null) return [];
      return functions.flatMap(({ functionName, ranges: [whole] }) => {
        // The script itself is a function without a name that begins at 0: loading it enters nothing.
        if (whole === undefined || whole.count === 0 || (functionName === '' && whole.startOffset === 0))
          return [];
        const source = built.sourceAt(whole.startOffset);
        return source === null ? [] : [source];
      });
    }),
  );

interface Built {
  /** The source of ours that the function at this offset was made from. */
  readonly sourceAt: (offset: number) => string | null;
}

const builtFiles = new Map<string, Built | null>();

const builtOf = (url: string): Built | null => {
  if (!url.startsWith('file://')) return null;
  const path = fileURLToPath(url);
  if (!builtFiles.has(path)) builtFiles.set(path, existsSync(`${path}.map`) ? readBuilt(path) : null);
  return builtFiles.get(path) ?? null;
};

const readBuilt = (path: string): Built => {
  const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')));
  const lineStarts = [0, ...[...readFileSync(path, 'utf8').matchAll(/\n/g)].map(({ index }) => index + 1)];
  return {
    sourceAt: (offset) => {
      const next = lineStarts.findIndex((start) => start > offset);
      const line = (next < 0 ? lineStarts.length : next) - 1;
      const found = map.findEntry(line, offset - (lineStarts[line] ?? 0));
      if (!('originalSource' in found)) return null;
      const source = relative(ROOT, resolve(dirname(path), found.originalSource));
      return /^(src|actors)\//.test(source) ? source : null;
    },
  };
};
