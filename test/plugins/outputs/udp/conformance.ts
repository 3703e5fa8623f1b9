import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../../../src/adapters/systemClock.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { Output, Written } from '../../../../src/plugins/kit.js';
import { udpPlugin } from '../../../../src/plugins/outputs/udp/plugin.js';
import type { StartDestination } from '../../../conformance/support.js';
import { startUdpSink, type UdpSink } from '../../../support/servers/udpSink.js';

const never = new AbortController().signal;
/** The receive buffer of many systems holds fewer than 300 datagrams. */
const PART = 100;
const PATIENCE_MS = 300;

/** Resolves when so many datagrams have arrived, or after a while. */
const arrival = async (sink: UdpSink, count: number): Promise<void> => {
  const limit = systemClock.monotonicMs() + PATIENCE_MS;
  while (sink.received().length < count && systemClock.monotonicMs() < limit) {
    await systemClock.sleepMs(1, never);
  }
};

/** Writes in parts that the receiver can hold. */
const paced = (output: Output, sink: UdpSink): Output => ({
  ...output,
  write: async (batch, signal) => {
    let sum: Written = { written: 0, failed: 0, bytes: 0 };
    for (let from = 0; from < batch.count; from += PART) {
      const before = sink.received().length;
      const result = await output.write(textBatch(batch.texts().slice(from, from + PART)), signal);
      if (E.isLeft(result)) return result;
      const { written, failed, bytes } = result.right;
      sum = { written: sum.written + written, failed: sum.failed + failed, bytes: sum.bytes + bytes };
      await arrival(sink, before + written);
    }
    return E.right(sum);
  },
});

export const destination: StartDestination = async () => {
  const sink = await startUdpSink();
  return {
    params: { host: '127.0.0.1', port: sink.port },
    open: async (params, context) => {
      const built = await udpPlugin.open(params, context);
      return E.isLeft(built) ? built : E.right(paced(built.right, sink));
    },
    arrived: () => Buffer.concat(sink.received()).toString('utf8'),
    takeAway: sink.close,
    end: sink.close,
  };
};
