import * as E from 'fp-ts/lib/Either.js';
import { isJsonObject, type Json } from '../../../domain/json.js';
import {
  avroKindOf,
  type Codec,
  type CodecOptions,
  type Misfit,
  makeSink,
  misfit,
  misfitText,
  type Sink,
  within,
  writeBytes,
  writeLong,
} from './codec.js';
import { logicalCodec } from './logicalCodecs.js';
import { enumCodec, fixedCodec, primitiveCodec } from './scalars.js';
import {
  type AvroType,
  avroTypeName,
  type FixedType,
  type PrimitiveType,
  type RecordType,
  type UnionType,
} from './schema.js';

/** Records in records of an event; deeper is a misfit rather than a full stack. */
const MAX_DEPTH = 200;

const arrayCodec = (items: Codec): Codec => ({
  fits: (value) => Array.isArray(value) && value.every(items.fits),
  write: (value, sink) => {
    if (!Array.isArray(value)) return misfit(`must be an array, not ${avroKindOf(value)}`);
    if (value.length > 0) writeLong(sink, value.length);
    for (let index = 0; index < value.length; index++) {
      const found = items.write(value[index], sink);
      if (found !== null) return within(String(index), found);
    }
    writeLong(sink, 0);
    return null;
  },
});

const mapCodec = (values: Codec): Codec => {
  const keys = primitiveCodec('string');
  return {
    fits: (value) => isJsonObject(value) && Object.values(value).every(values.fits),
    write: (value, sink) => {
      if (!isJsonObject(value)) return misfit(`must be an object, not ${avroKindOf(value)}`);
      const names = Object.keys(value);
      if (names.length > 0) writeLong(sink, names.length);
      for (const name of names) {
        keys.write(name, sink);
        const found = values.write(value[name], sink);
        if (found !== null) return within(name, found);
      }
      writeLong(sink, 0);
      return null;
    },
  };
};

/** A record's field; `fallback`: its default, encoded. */
interface Slot {
  readonly name: string;
  readonly codec: Codec;
  fallback: Uint8Array | null;
}

/** Records of a value that `fits` is inside of, shared by all records of a schema. */
interface Looking {
  depth: number;
}

/** Levels that `fits` looks at: each may multiply its work by the branches of a union. */
const MAX_LOOK = 4;

const recordCodec = (slots: readonly Slot[], looking: Looking): Codec => {
  const holds = (value: Readonly<Record<string, unknown>>, { name, codec, fallback }: Slot): boolean => {
    if (!Object.hasOwn(value, name)) return fallback !== null;
    return looking.depth > MAX_LOOK || codec.fits(value[name]);
  };
  const writeFields = (value: Readonly<Record<string, unknown>>, sink: Sink): Misfit | null => {
    for (let index = 0; index < slots.length; index++) {
      const { name, codec, fallback } = slots[index] as Slot;
      if (Object.hasOwn(value, name)) {
        const found = codec.write(value[name], sink);
        if (found !== null) return within(name, found);
      } else if (fallback === null) return within(name, misfit('is missing and has no default'));
      else writeBytes(sink, fallback);
    }
    return null;
  };
  return {
    fits: (value) => {
      if (!isJsonObject(value)) return false;
      looking.depth++;
      const found = slots.every((slot) => holds(value, slot));
      looking.depth--;
      return found;
    },
    write: (value, sink) => {
      if (!isJsonObject(value)) return misfit(`must be an object, not ${avroKindOf(value)}`);
      if (sink.depth >= MAX_DEPTH) return misfit(`is nested deeper than ${MAX_DEPTH} records`);
      sink.depth++;
      const found = writeFields(value, sink);
      sink.depth--;
      return found;
    },
  };
};

/** `{"branch": value}` as Avro's JSON encoding writes it. */
const taggedBranch = (value: unknown, names: readonly string[]): number => {
  if (!isJsonObject(value)) return -1;
  const [name, ...more] = Object.keys(value);
  return name === undefined || more.length > 0 ? -1 : names.indexOf(name);
};

const unionCodec = ({ branches }: UnionType, codecs: readonly Codec[]): Codec => {
  const names = branches.map(avroTypeName);
  const nullAt = names.indexOf('null');
  const [only, more] = codecs.filter((_, index) => index !== nullAt);
  const onlyAt = nullAt === 0 ? 1 : 0;
  const pick = (value: unknown): number => {
    for (let index = 0; index < codecs.length; index++) {
      if ((codecs[index] as Codec).fits(value)) return index;
    }
    return -1;
  };
  /** A text may stand for a number; objects are not tried, which could take long. */
  const writeAny = (text: string, sink: Sink): boolean => {
    const { length } = sink;
    for (const [index, codec] of codecs.entries()) {
      writeLong(sink, index);
      if (codec.write(text, sink) === null) return true;
      sink.length = length;
    }
    return false;
  };
  const isOptional = nullAt >= 0 && only !== undefined && more === undefined;
  return {
    fits: (value) => pick(value) >= 0 || taggedBranch(value, names) >= 0,
    write: (value, sink) => {
      if (value === null && nullAt >= 0) {
        writeLong(sink, nullAt);
        return null;
      }
      // Its own misfit says more than that of the union.
      if (isOptional && taggedBranch(value, names) < 0) {
        writeLong(sink, onlyAt);
        return only.write(value, sink);
      }
      const picked = pick(value);
      if (picked >= 0) {
        writeLong(sink, picked);
        return (codecs[picked] as Codec).write(value, sink);
      }
      const tagged = taggedBranch(value, names);
      if (tagged >= 0) {
        const name = names[tagged] as string;
        writeLong(sink, tagged);
        const found = (codecs[tagged] as Codec).write((value as Record<string, unknown>)[name], sink);
        return found === null ? null : within(name, found);
      }
      if (typeof value === 'string' && writeAny(value, sink)) return null;
      return misfit(`must be ${names.join(' or ')}, not ${avroKindOf(value)}`);
    },
  };
};

/** A codec of which `get` may be called once all types are known. */
const late = (get: () => Codec): Codec => ({
  fits: (value) => get().fits(value),
  write: (value, sink) => get().write(value, sink),
});

interface Default {
  readonly slot: Slot;
  readonly record: string;
  readonly type: AvroType;
  readonly json: Json;
}

/** Builds codecs; records are built once, so that they may contain themselves. */
const builder = (options: CodecOptions | null, defaults: Default[]) => {
  const records = new Map<RecordType, Codec | null>();
  const looking: Looking = { depth: 0 };

  const scalar = (type: PrimitiveType | FixedType): Codec => {
    // Defaults are values of the plain type.
    if (type.logical !== null && options !== null) return logicalCodec(type, type.logical, options);
    return type.kind === 'fixed' ? fixedCodec(type.size) : primitiveCodec(type.kind);
  };

  const record = (type: RecordType): Codec => {
    const known = records.get(type);
    if (known !== undefined) return known ?? late(() => records.get(type) as Codec);
    records.set(type, null);
    const slots = type.fields.map((field): Slot => {
      const slot = { name: field.name, codec: build(field.type), fallback: null };
      const { fallback: json } = field;
      if (json !== undefined) defaults.push({ slot, record: type.name, type: field.type, json });
      return slot;
    });
    const made = recordCodec(slots, looking);
    records.set(type, made);
    return made;
  };

  const build = (type: AvroType): Codec => {
    switch (type.kind) {
      case 'record':
        return record(type);
      case 'enum':
        return enumCodec(type);
      case 'array':
        return arrayCodec(build(type.items));
      case 'map':
        return mapCodec(build(type.values));
      case 'union':
        return unionCodec(type, type.branches.map(build));
      default:
        return scalar(type);
    }
  };
  return build;
};

const FIRST_BYTES = 256;

/**
 * Encodes defaults until all are done: one may need those of records within. Returns why one cannot be encoded,
 * or null when all are.
 */
const settle = (defaults: readonly Default[], codecOf: (type: AvroType) => Codec): string | null => {
  let pending = defaults;
  while (pending.length > 0) {
    const problems: string[] = [];
    const left = pending.filter(({ slot, record, type, json }) => {
      const sink = makeSink(FIRST_BYTES);
      const found = codecOf(type).write(json, sink);
      if (found === null) slot.fallback = Buffer.from(sink.bytes.subarray(0, sink.length));
      else problems.push(`the default of field ${slot.name} of ${record}: ${misfitText(found)}`);
      return found !== null;
    });
    if (left.length === pending.length) return problems[0] ?? null;
    pending = left;
  }
  return null;
};

/** Compiles a schema to closures. Returns an error when a default does not fit its field. */
export const compileSchema = (type: AvroType, options: CodecOptions): E.Either<string, Codec> => {
  const defaults: Default[] = [];
  const codec = builder(options, defaults)(type);
  const plainDefaults: Default[] = [];
  const plain = builder(null, plainDefaults);
  for (const each of defaults) plain(each.type);
  const problem = settle(plainDefaults, plain) ?? settle(defaults, plain);
  return problem === null ? E.right(codec) : E.left(problem);
};
