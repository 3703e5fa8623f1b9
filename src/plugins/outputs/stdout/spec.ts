import { defaulted, oneOf } from '../../../schema/index.js';
import { outputPlugin } from '../../declare.js';
import { encodingField } from '../../shared/encodingField.js';
import { flushIntervalField, separatorField } from '../shared/fields.js';

export const stdoutFields = {
  stream: defaulted(oneOf(['stdout', 'stderr']), 'stdout', { help: 'Stream that is written to.' }),
  flush_interval: flushIntervalField(
    'Longest time that a written event may be held back. Events are handed to the system with every write, ' +
      'so that any value is kept.',
  ),
  encoding: encodingField('Encoding of what is written.'),
  separator: separatorField(),
};

export const stdoutSpec = outputPlugin({
  name: 'stdout',
  summary: 'Writes events to the standard output or standard error of the program.',
  notes: [
    'A reader that is slower than the generator slows the generator down: that is back-pressure, not a failure, ' +
      'and `write_timeout` does not apply. Nothing is dropped and other generators are not held up.',
    'A reader that went away is a failure that is not tried again (`reader_gone`).',
    'The output never holds half an event followed by another: when a write is ended on the way, the next one ' +
      'begins with the rest. Several generators may share a pipe or terminal: events of up to 4 KiB never mix.',
    'An event that the encoding cannot spell is left out, logged and counted; the others are written. In utf_8, ' +
      'half of a surrogate pair is written as U+FFFD.',
    'A socket (such as that of a systemd journal) and a terminal of another user cannot be opened again: there a ' +
      'reader that stands still holds one of the four file threads of the process.',
  ],
  fields: stdoutFields,
  examples: [
    { title: 'Lines on standard output', params: {} },
    { title: 'NUL-separated on standard error', params: { stream: 'stderr', separator: '\u0000' } },
  ],
});
