import { bytesBatch, type EventBatch } from '../../../../domain/events/eventBatch.js';
import { growPage, keepPage, sizeFor, takePage } from '../../../../domain/events/eventCollector.js';
import type { FormatFailure, Formatted } from '../../../kit.js';
import type { Refusal } from '../../shared/respace.js';
import { RESULT_START, squeezeModule, TEXT_BYTES, TEXT_START } from './program.js';

/** Missing in the types of Node. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module);
    readonly exports: Readonly<Record<string, unknown>>;
  }
}

type Squeeze = (from: number, to: number, out: number) => number;

interface Machine {
  readonly memory: Uint8Array;
  readonly squeeze: Squeeze;
}

/** One per thread, made at its first use: a call runs to its end. */
let machine: Machine | null | undefined;

/** Returns the machine. Null when this Node runs without WebAssembly, or no address space is left for its memory. */
const machineOf = (): Machine | null => {
  if (machine !== undefined) return machine;
  try {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(squeezeModule()));
    machine = {
      memory: new Uint8Array((exports['memory'] as { readonly buffer: ArrayBuffer }).buffer),
      squeeze: exports['run'] as Squeeze,
    };
  } catch {
    machine = null;
  }
  return machine;
};

const decode = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('utf8');

/** Collects lines in a page. */
const makeLines = (bytes: number) => {
  const page = takePage(sizeFor(bytes));
  return {
    add: (lines: Uint8Array, events: number): void => {
      const needed = page.length + lines.length;
      if (needed > page.bytes.length) growPage(page, needed);
      page.bytes.set(lines, page.length);
      page.length = needed;
      page.count += events;
    },
    batch: (): EventBatch => ({
      ...bytesBatch(page.bytes.subarray(0, page.length), page.count),
      release: () => keepPage(page),
    }),
  };
};

/**
 * Puts JSON events on one line, from bytes to bytes. An event that the machine refuses, or that is too large for it, goes
 * through `respace`, which gives the same result or the reason. Returns null when there is no machine.
 */
export const makeSqueezer = (
  respace: (text: string) => string | Refusal,
): ((events: EventBatch) => Formatted) | null => {
  const made = machineOf();
  if (made === null) return null;
  const { memory, squeeze } = made;
  return (events) => {
    const { bytes, ends } = events.encoded();
    const lines = makeLines(bytes.length);
    const failures: FormatFailure[] = [];

    /** The slow way for one event: its line, or `null` and a failure. */
    const respaced = (from: number, to: number): Buffer | null => {
      const event = decode(bytes, from, to);
      const item = respace(event);
      if (typeof item === 'string') return Buffer.from(`${item}\n`, 'utf8');
      failures.push({ event, reason: item.reason });
      return null;
    };

    let start = 0;
    for (let index = 0; index < ends.length; ) {
      const chunkStart = start;
      const first = index;
      while (index < ends.length && (ends[index] as number) - chunkStart <= TEXT_BYTES) index++;
      if (index === first) {
        const end = ends[index++] as number;
        const line = respaced(start, end - 1);
        if (line !== null) lines.add(line, 1);
        start = end;
        continue;
      }
      const chunkEnd = ends[index - 1] as number;
      memory.set(bytes.subarray(chunkStart, chunkEnd), TEXT_START);
      // Stops a step that reads on behind the last line end.
      memory[TEXT_START + chunkEnd - chunkStart] = 0;
      let out = RESULT_START;
      let refused = 0;
      for (let each = first; each < index; each++) {
        const end = ends[each] as number;
        const shift = TEXT_START - chunkStart;
        const written = squeeze(start + shift, end - 1 + shift, out);
        if (written > 0) out = written;
        else {
          const line = respaced(start, end - 1);
          if (line === null) refused++;
          else {
            memory.set(line, out);
            out += line.length;
          }
        }
        start = end;
      }
      lines.add(memory.subarray(RESULT_START, out), index - first - refused);
    }
    return { batch: lines.batch(), eventsPerItem: 1, failures };
  };
};
