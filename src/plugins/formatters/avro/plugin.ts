import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf } from '../../../domain/errors.js';
import {
  binaryBatch,
  type Container,
  type EventBatch,
  emptyBatch,
} from '../../../domain/events/eventBatch.js';
import type { Json } from '../../../domain/json.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { FormatFailure, Formatter, FormatterContext, FormatterPlugin } from '../../kit.js';
import { generatorFile, readInputFile } from '../../shared/inputFile.js';
import { jsonOf } from '../shared/objectFormatter.js';
import {
  type Codec,
  ensure,
  makeSink,
  misfitText,
  type Sink,
  writeAvroText,
  writeBytes,
  writeLong,
} from './codec.js';
import { compileSchema } from './compile.js';
import { readSchema } from './readSchema.js';
import { canonicalForm, fingerprint, PRIMITIVES } from './schema.js';
import { type avroFields, avroSpec } from './spec.js';

type Params = ValueOf<typeof avroFields>;

const LINE_FEED = 0x0a;
const MAX_SCHEMA_BYTES = 1024 * 1024;
const NO_BYTES = Buffer.alloc(0);

/** Writes an event. Returns why it was not written, or null when it was. After a failure the sink is as before. */
const append = (codec: Codec, prefix: Buffer, event: string, sink: Sink): string | null => {
  const parsed = jsonOf(event);
  if (E.isLeft(parsed)) return parsed.left;
  const { length } = sink;
  if (prefix.length > 0) writeBytes(sink, prefix);
  const found = codec.write(parsed.right, sink);
  if (found === null) return null;
  sink.length = length;
  return misfitText(found);
};

/** Writes events one after the other; `after` follows each that fits. */
const encoder = (codec: Codec, prefix: Buffer) => {
  let largest = 0;
  return (events: EventBatch, after: (sink: Sink, event: string) => void) => {
    // Half as much again: batches of a generator are alike.
    const sink = makeSink(Math.ceil(largest * 1.5));
    const failures: FormatFailure[] = [];
    for (const event of events.texts()) {
      const reason = append(codec, prefix, event, sink);
      if (reason === null) after(sink, event);
      else failures.push({ event, reason });
    }
    largest = Math.max(sink.length, largest >>> 1);
    return { bytes: sink.bytes.subarray(0, sink.length), failures };
  };
};

/** An item for each event. */
const itemFormatter = (codec: Codec, prefix: Buffer): Formatter => {
  const encode = encoder(codec, prefix);
  return {
    joins: false,
    format: (events) => {
      const ends = new Uint32Array(events.count);
      const documents: string[] = [];
      const { bytes, failures } = encode(events, (sink, event) => {
        ensure(sink, 1);
        sink.bytes[sink.length++] = LINE_FEED;
        ends[documents.length] = sink.length;
        documents.push(event);
      });
      const count = documents.length;
      const batch =
        count === 0 ? emptyBatch : binaryBatch({ bytes, ends: ends.subarray(0, count) }, documents);
      return { batch, eventsPerItem: 1, failures };
    },
  };
};

/** One file of all events. */
const containerFormatter = (codec: Codec, container: ContainerMaker): Formatter => {
  const encode = encoder(codec, NO_BYTES);
  return {
    joins: true,
    format: (events) => {
      let count = 0;
      const { bytes, failures } = encode(events, () => {
        count++;
      });
      if (count === 0) return { batch: emptyBatch, eventsPerItem: 0, failures };
      const file = container.make(bytes, count);
      const ends = Uint32Array.of(file.length + 1);
      const batch = binaryBatch({ bytes: Buffer.concat([file, Buffer.of(LINE_FEED)]), ends }, [], container);
      return { batch, eventsPerItem: count, failures };
    },
  };
};

const refused = (what: string) => E.left(failure('plugin_failed', `formatter avro: ${what}`));

/** The schema as JSON. A text holds it in JSON, or is the name of a primitive type. */
const schemaOf = async (
  { schema, schema_file }: Params,
  context: FormatterContext,
): Promise<Result<Json>> => {
  let text = schema;
  if (schema_file !== null) {
    const file = generatorFile(context, schema_file);
    try {
      const bytes = await readInputFile(file, context.clock, MAX_SCHEMA_BYTES);
      if (bytes === null)
        return refused(`schema_file ${file} is larger than ${MAX_SCHEMA_BYTES} bytes. Shorten it.`);
      text = bytes.toString('utf8').replace(/^\uFEFF/, '');
    } catch (thrown) {
      return E.left(
        failure('unreadable', `formatter avro: schema_file ${file} cannot be read: ${reasonOf(thrown)}`),
      );
    }
  }
  if (typeof text !== 'string' || (PRIMITIVES as readonly string[]).includes(text)) return E.right(text);
  try {
    return E.right(JSON.parse(text) as Json);
  } catch (thrown) {
    const field = schema_file === null ? 'schema' : `schema_file ${schema_file}`;
    return refused(`${field} is not JSON: ${reasonOf(thrown)}. Correct it.`);
  }
};

export const avroPlugin: FormatterPlugin<typeof avroFields> = {
  spec: avroSpec,
  build: async (params, context) => {
    const json = await schemaOf(params, context);
    if (E.isLeft(json)) return json;
    const type = readSchema(json.right);
    if (E.isLeft(type)) return refused(`schema: ${type.left}. Correct it.`);
    const codec = compileSchema(type.right, context);
    if (E.isLeft(codec)) return refused(`schema: ${codec.left}. Correct it.`);
    switch (params.encoding) {
      case 'single_object': {
        const sum = fingerprint(Buffer.from(canonicalForm(type.right)));
        return E.right(itemFormatter(codec.right, singleObjectPrefix(sum)));
      }
      case 'confluent':
        return E.right(itemFormatter(codec.right, confluentPrefix(params.schema_id ?? 0)));
      case 'raw':
        return E.right(itemFormatter(codec.right, NO_BYTES));
      case 'container':
        return E.right(
          containerFormatter(codec.right, containerMaker(JSON.stringify(json.right), params.codec)),
        );
    }
  },
};

const FINGERPRINT_BYTES = 8;
const ID_BYTES = 4;

/** Apache Avro 1.12, "Single-object encoding". */
const singleObjectPrefix = (fingerprint: bigint): Buffer => {
  const prefix = Buffer.alloc(2 + FINGERPRINT_BYTES, Buffer.from([0xc3, 0x01]));
  prefix.writeBigUInt64LE(fingerprint, 2);
  return prefix;
};

/** Wire format of Confluent's serializers: a zero and the ID of the schema. */
const confluentPrefix = (schema_id: number): Buffer => {
  const prefix = Buffer.alloc(1 + ID_BYTES);
  prefix.writeInt32BE(schema_id, 1);
  return prefix;
};

const MAGIC = Buffer.from('Obj\u0001', 'latin1');
const MARKER_BYTES = 16;
const FIRST_BYTES = 1024;

type ContainerCodec = 'null' | 'deflate';

interface ContainerMaker extends Container {
  readonly make: (data: Uint8Array, count: number) => Buffer;
}

/** Makes an Object Container File of one block. The marker follows from the schema: equal events make equal bytes. */
const containerMaker = (schema: string, codec: ContainerCodec): ContainerMaker => {
  const marker = createHash('sha256').update(`${codec} ${schema}`).digest().subarray(0, MARKER_BYTES);
  const head = makeSink(FIRST_BYTES);
  writeBytes(head, MAGIC);
  writeLong(head, 2);
  writeAvroText(head, 'avro.schema');
  writeAvroText(head, schema);
  writeAvroText(head, 'avro.codec');
  writeAvroText(head, codec);
  writeLong(head, 0);
  writeBytes(head, marker);
  const header = Buffer.from(head.bytes.subarray(0, head.length));
  const make = (data: Uint8Array, count: number): Buffer => {
    const stored = codec === 'deflate' ? deflateRawSync(data) : data;
    const block = makeSink(FIRST_BYTES);
    writeLong(block, count);
    writeLong(block, stored.length);
    return Buffer.concat([header, block.bytes.subarray(0, block.length), stored, marker]);
  };
  return { header, trailer: marker, make };
};
