import { defaulted, lazily, oneOf } from '../../../schema/index.js';
import { outputPlugin } from '../../declare.js';
import { encodingField } from '../../shared/fields.js';
import { flushIntervalField, separatorField } from '../shared/fields.js';

export const stdoutFields = lazily(() => ({
  stream: defaulted(oneOf(['stdout', 'stderr']), 'stdout', { help: 'Stream to write to.' }),
  flush_interval: flushIntervalField(
    'Longest delay of a written event. Every write reaches the system at once, so any value holds.',
  ),
  encoding: encodingField('Encoding of the events.'),
  separator: separatorField(),
}));

export const stdoutSpec = outputPlugin({
  name: 'stdout',
  summary: 'Writes events to standard output or standard error.',
  notes: [
    'A slow reader slows the generator down. This is back-pressure, not a failure: `write_timeout` does not apply, nothing is dropped, other generators continue.',
    'A reader that goes away is a failure without retries (`reader_gone`).',
    'Events are never torn: after an interrupted write, the next one starts with the rest. Several generators can share a pipe or terminal: events of up to 4 KiB never mix.',
    'An event that the encoding cannot represent is dropped, logged and counted; the rest are written. In utf_8, a lone surrogate becomes U+FFFD.',
    'Spate cannot reopen a socket, such as that of the systemd journal, or a terminal of another user. A stalled reader then blocks one of the four file threads of the process.',
  ],
  fields: stdoutFields,
  examples: [
    { title: 'Lines on standard output', params: {} },
    { title: 'NUL-separated on standard error', params: { stream: 'stderr', separator: '\u0000' } },
  ],
});
