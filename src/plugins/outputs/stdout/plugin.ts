import * as E from 'fp-ts/lib/Either.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { Built, Output, OutputPlugin, PluginContext } from '../../kit.js';
import { standardStream } from '../shared/descriptor.js';
import { makeEncoder } from '../shared/encoder.js';
import { systemFailure } from '../shared/errors.js';
import { streamOutput } from '../shared/streamOutput.js';
import { type stdoutFields, stdoutSpec } from './spec.js';

const DESCRIPTORS = { stdout: 1, stderr: 2 } as const;
const NAMES = { stdout: 'standard output', stderr: 'standard error' } as const;

/** Opens an output on descriptor 1 or 2, or another one in tests. */
export const openStream = async (
  fd: number,
  params: ValueOf<typeof stdoutFields>,
  context: PluginContext,
): Built<Output> => {
  const name = NAMES[params.stream];
  const encoder = makeEncoder(params.encoding, params.separator, context.log);
  if (E.isLeft(encoder)) return encoder;
  try {
    return E.right(streamOutput(await standardStream(fd), name, encoder.right, context));
  } catch (thrown) {
    return E.left(systemFailure('output_failed', `cannot open ${name}`, thrown));
  }
};

/** Uses descriptors: `process.stdout` of a worker thread goes through the main thread. */
export const stdoutPlugin: OutputPlugin<typeof stdoutFields> = {
  spec: stdoutSpec,
  open: (params, context) => openStream(DESCRIPTORS[params.stream], params, context),
};
