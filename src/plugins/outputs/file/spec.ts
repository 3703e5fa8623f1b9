import * as E from 'fp-ts/lib/Either.js';
import {
  defaulted,
  integer,
  lazily,
  number,
  oneOf,
  optional,
  path,
  refined,
  required,
} from '../../../schema/index.js';
import { defect, kindOf } from '../../../schema/issues.js';
import { scalar } from '../../../schema/reader.js';
import type { Shape } from '../../../schema/shape.js';
import { outputPlugin } from '../../declare.js';
import { encodingField } from '../../shared/fields.js';
import { placeholderDefect } from '../../shared/text/field.js';
import { flushIntervalField, separatorField, withoutSeparator } from '../shared/fields.js';

/** Digits as in chmod(1): `640`, `0640`; `0o640` as in YAML. */
const DIGITS = /^(?:0o?)?[0-7]{1,4}$/;

const MAX_LENGTH = 6;

const isMode = (value: unknown): value is number | string =>
  (typeof value === 'number' || typeof value === 'string') &&
  String(value).length <= MAX_LENGTH &&
  DIGITS.test(String(value));

/**
 * Permissions of a file. A number's decimal digits are octal digits (640 is rw-r-----); text such as "0640" works
 * too. Encodes to its source.
 */
export const fileMode = (): Shape<number | string> => {
  const label = 'permission digits 0..7777';
  const schema = {
    anyOf: [
      { type: 'integer', minimum: 0, maximum: 7777 },
      { type: 'string', maxLength: MAX_LENGTH, pattern: DIGITS.source },
    ],
  };
  return scalar<number | string>(label, schema, isMode, (value) => {
    if (isMode(value)) return E.right(value);
    if (typeof value !== 'number' && typeof value !== 'string') {
      return E.left(defect('wrong_type', `must be ${label}, not ${kindOf(value)}`));
    }
    return E.left(
      defect('bad_format', `must be ${label}`, 'Each digit is octal, 0 to 7: for example 640 or "0640".'),
    );
  });
};

/** Permission bits: 640 and "0640" are 0o640. */
export const modeBits = (mode: number | string): number =>
  Number.parseInt(String(mode).replace(/^0o/, ''), 8);

const filePath = refined(path(), (written) => placeholderDefect(written, ['generator', 'partition', 'date']));

export const fileFields = lazily(() => ({
  path: required(filePath, {
    help:
      'File to write, relative to the folder of the generator. Missing folders are created. `{generator}`, `{partition}`, `{date}` and ' +
      'dates such as `{yyyy/MM/dd}` are replaced.',
    example: 'out/{date}/{generator}.log',
  }),
  flush_interval: flushIntervalField(
    'Minimum time between checks whether the file was deleted; a deleted file is created again. 0: check with every write. ' +
      'Every write reaches the system at once.',
  ),
  cleanup_interval: defaulted(number({ min: 1 }), 10, {
    help: 'Idle time until the file is closed; the next write opens it again.',
    unit: 'seconds',
  }),
  file_mode: defaulted(fileMode(), 640, {
    help: 'Permissions of a new file as octal digits, such as 640 or "0640", less the umask of the process.',
  }),
  write_mode: defaulted(oneOf(['append', 'overwrite']), 'append', {
    help: '`overwrite` empties the file once, at the start of the generator; later files of a path with dates are appended to.',
  }),
  fsync_interval: optional(number({ min: 0 }), {
    help: 'Longest time until written events are on the disk (fsync). 0: before a write counts as delivered. Default: the system decides.',
    unit: 'seconds',
    extension: true,
  }),
  rotate_size: optional(number({ exclusiveMin: 0 }), {
    help: 'Size at which a file is full: it gets a name of its own, and a new one begins.',
    unit: 'MB',
    example: 100,
    extension: true,
  }),
  rotate_every: optional(oneOf(['hour', 'day']), {
    help: 'Begins a new file with each hour or day of the time zone of the generator.',
    extension: true,
  }),
  rotate_keep: optional(integer({ min: 1 }), {
    help: 'Number of full files to keep; older ones are deleted. Default: all.',
    extension: true,
  }),
  rotate_keep_size: optional(number({ exclusiveMin: 0 }), {
    help: 'Most that all full files take together, after compression; the oldest are deleted. Default: no limit.',
    unit: 'MB',
    example: 10_000,
    extension: true,
  }),
  rotate_compression: defaulted(oneOf(['none', 'gzip', 'zstd']), 'none', {
    help: 'Compression of full files. zstd needs Node.js 22.15 or later.',
    extension: true,
  }),
  encoding: encodingField('Encoding of the events.'),
  separator: separatorField(),
}));

export const fileSpec = outputPlugin({
  name: 'file',
  summary: 'Writes events to a file.',
  takesBytes: {
    fields: withoutSeparator.fields,
    whyNot: (value, form) =>
      form === 'whole'
        ? withoutSeparator.whyNot(value, form)
        : 'a file needs them as one: choose `encoding: container`',
  },
  notes: [
    'Batches are written whole or not at all: a failed write, for example on a full disk, is truncated and can be retried. If another program appended meanwhile, nothing is truncated and the torn event gets a separator.',
    'If the file does not end with a separator when it is opened, because a kill or power failure interrupted a write, a separator comes first. New events never continue an old line, and old content stays.',
    'A deleted file is created again, with its folder; events written up to `flush_interval` before that are lost with it. A renamed file receives events until the next idle close.',
    'A full file is renamed to its path with the time in UTC behind it, such as `events.log.20261123T101500Z`, and the next write begins a new one; no batch is split, and none is lost if the rename fails: the file then grows on. Compression and deletion of old files run in the background, and go on after a restart. Let only one generator rotate a file.',
    'Dates in `path` are the wall clock when a batch is written, in the time zone of the generator. When the path changes, the new file is opened, then the old one is synced if `fsync_interval` is set, and closed; one file is open at a time. While the new file cannot be opened, writes fail and are retried. Rotation applies to each path: the last file of an earlier path is neither renamed nor deleted. A stop waits up to 5 s for compression; the next run of the same path compresses what it leaves, and full files of earlier paths stay as they are. `{generator}` is one name: it leads to no other folder. `{partition}` is the index of the partition. Partitions can append whole lines to one file; `write_mode: overwrite`, rotation, an encoding with a byte order mark and formats with a header need `{partition}` in `path`. A path has no values of events: use an output with `when` for each.',
    'With `fsync_interval: 0`, events that count as written survive a power failure. A larger value may lose the events of that time; without it the system decides, usually within 30 seconds.',
    'An event that the encoding cannot represent is dropped, logged and counted; the rest are written. In utf_8, a lone surrogate becomes U+FFFD.',
    'A pipe or device works like standard output: its reader sets the pace, and it stays open. A pipe needs its reader when the generator starts.',
  ],
  fields: fileFields,
  rules: [
    {
      fields: ['rotate_keep', 'rotate_keep_size', 'rotate_size', 'rotate_every'],
      check: ({ rotate_keep, rotate_keep_size, rotate_size, rotate_every }) =>
        (rotate_keep !== null || rotate_keep_size !== null) && rotate_size === null && rotate_every === null
          ? {
              at: rotate_keep === null ? 'rotate_keep_size' : 'rotate_keep',
              type: 'not_allowed',
              message: 'needs `rotate_size` or `rotate_every`',
            }
          : null,
    },
    {
      fields: ['rotate_keep_size', 'rotate_size'],
      check: ({ rotate_keep_size, rotate_size }) =>
        rotate_keep_size !== null && rotate_size !== null && rotate_keep_size < rotate_size
          ? {
              at: 'rotate_keep_size',
              type: 'out_of_range',
              message: 'is less than `rotate_size`: no full file would stay',
            }
          : null,
    },
  ],
  examples: [
    { title: 'Append lines', params: { path: 'out/events.log' } },
    { title: 'A file for each day', params: { path: 'out/{date}/{generator}.log' } },
    {
      title: 'Overwrite, readable by all',
      params: { path: '/var/log/demo/access.log', write_mode: 'overwrite', file_mode: '0644' },
    },
    {
      title: 'A file a day of at most 500 MB, two weeks of them, compressed',
      params: {
        path: 'out/events.log',
        rotate_every: 'day',
        rotate_size: 500,
        rotate_keep: 14,
        rotate_compression: 'gzip',
      },
    },
  ],
});
