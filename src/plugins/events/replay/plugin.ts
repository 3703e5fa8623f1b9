import * as E from 'fp-ts/lib/Either.js';
import { Failed, failure, reasonOf, systemCodeOf } from '../../../domain/errors.js';
import { CHARMAPS } from '../../../domain/text/charmaps.js';
import { type Encoding, encodingOf } from '../../../domain/text/encodings.js';
import type { Clock } from '../../../ports/clock.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { Built, EventContext, EventPlugin, EventProducer } from '../../kit.js';
import { generatorFile } from '../../shared/generatorFile.js';
import { keepsAscii, strictDecoder } from '../../shared/strictDecoder.js';
import { makeMarker } from '../shared/marker.js';
import { type LineReader, openLineReader } from './lineReader.js';
import type { LineFormat } from './lineRun.js';
import { pageMaker } from './pages.js';
import { replayProducer } from './producer.js';
import type { Remap } from './remap/remap.js';
import { replaySpec } from './spec.js';
import { type Substitution, substitutionOf } from './substitution.js';

type Params = ValueOf<typeof replaySpec.fields>;

/** Bytes per run of text: fits V8's young generation. Text of 128 KiB took up to 10 times as long. */
const TEXT_RUN_BYTES = 64 * 1024;
const BYTE_RUN_BYTES = 1024 * 1024;

const lineEndOf = ({ decoder, name, unit }: Encoding, order: 'little' | 'big'): Buffer => {
  if (decoder === 'charmap') return Buffer.from([CHARMAPS[name as keyof typeof CHARMAPS].indexOf('\n')]);
  const bytes = Buffer.alloc(unit);
  bytes[order === 'little' ? 0 : unit - 1] = 10;
  return bytes;
};

type Opened = { readonly reader: LineReader; readonly format: LineFormat };

const opener = (
  params: Params,
  { file, encoding, clock }: { readonly file: string; readonly encoding: Encoding; readonly clock: Clock },
  substitution: Substitution | null,
) => {
  const takePage = pageMaker();
  return async (): Promise<Opened> => {
    const reader = await openLineReader({
      path: file,
      clock,
      chunk_size: params.chunk_size,
      run_bytes: substitution === null && encoding.decoder === 'utf8' ? BYTE_RUN_BYTES : TEXT_RUN_BYTES,
      encoding,
      takePage,
      lineEnd: (order) => lineEndOf(encoding, order),
    });
    const decoder = strictDecoder(encoding, reader.order);
    if (E.isLeft(decoder)) throw new Error(decoder.left);
    return {
      reader,
      format: {
        decode: decoder.right,
        lineEnd: lineEndOf(encoding, reader.order),
        keepsAscii: keepsAscii(encoding, decoder.right),
        isUtf8: encoding.decoder === 'utf8',
        isStateless: !encoding.isStateful,
        substitution,
      },
    };
  };
};

const build = async (params: Params, context: EventContext): Built<EventProducer> => {
  const remap =
    params.remap === null ? E.right(null) : (await import('./remap/remap.js')).remapOf(params.remap);
  if (E.isLeft(remap)) return E.left(failure('plugin_failed', remap.left));
  if (params.path !== null) return buildFromFile({ ...params, path: params.path }, remap.right, context);
  const { recordedProducer } = await import('./recorded/producer.js');
  return recordedProducer(params, remap.right, context);
};

const buildFromFile = async (
  params: Params & { readonly path: string },
  remap: Remap | null,
  context: EventContext,
): Built<EventProducer> => {
  const { path } = params;
  const file = generatorFile(context, path);
  const encoding = encodingOf(params.encoding);
  if (encoding === null) return E.left(failure('plugin_failed', `encoding '${params.encoding}' is unknown`));
  const decoder = strictDecoder(encoding, 'little');
  if (E.isLeft(decoder)) return E.left(failure('plugin_failed', decoder.left));
  const substitution = substitutionOf(params, context);
  if (E.isLeft(substitution)) return E.left(failure('plugin_failed', substitution.left));
  try {
    return E.right(
      await replayProducer({
        open: opener(params, { file, encoding, clock: context.clock }, substitution.right),
        repeat: params.repeat,
        file,
        name: path,
        log: context.log,
        clock: context.clock,
        ...(context.partition === undefined ? {} : { partition: context.partition }),
        remap,
        marker: params.marks === null ? null : makeMarker(params.marks, context.random),
      }),
    );
  } catch (thrown) {
    if (thrown instanceof Failed) return E.left(thrown.error);
    const reason = systemCodeOf(thrown) === 'ENOENT' ? 'it does not exist' : reasonOf(thrown);
    return E.left(
      failure('plugin_failed', `replay file ${path} cannot be read: ${reason} (looked for ${file})`, {
        file,
      }),
    );
  }
};

export const replayPlugin: EventPlugin<typeof replaySpec.fields> = { spec: replaySpec, build };
