import { defaulted, number, oneOf, path, required } from '../../../schema/index.js';
import { outputPlugin } from '../../declare.js';
import { encodingField } from '../../shared/encodingField.js';
import { flushIntervalField, separatorField } from '../shared/fields.js';
import { fileMode } from './fileMode.js';

export const fileFields = {
  path: required(path(), {
    help: 'File to write, relative to the folder of the generator. Missing folders are created.',
    example: 'out/events.log',
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
    help: '`overwrite` empties the file once, at the start of the generator.',
  }),
  encoding: encodingField('Encoding of the events.'),
  separator: separatorField(),
};

export const fileSpec = outputPlugin({
  name: 'file',
  summary: 'Writes events to a file.',
  notes: [
    'Batches are written whole or not at all: a failed write, for example on a full disk, is truncated and can be retried. If another program appended meanwhile, nothing is truncated and the torn event gets a separator.',
    'If the file does not end with a separator when it is opened, because a kill or power failure interrupted a write, a separator comes first. New events never continue an old line, and old content stays.',
    'A deleted file is created again, with its folder; events written up to `flush_interval` before that are lost with it. A renamed file receives events until the next idle close.',
    'An event that the encoding cannot represent is dropped, logged and counted; the rest are written. In utf_8, a lone surrogate becomes U+FFFD.',
    'A pipe or device works like standard output: its reader sets the pace, and it stays open. A pipe needs its reader when the generator starts.',
  ],
  fields: fileFields,
  examples: [
    { title: 'Append lines', params: { path: 'out/events.log' } },
    {
      title: 'Overwrite, readable by all',
      params: { path: '/var/log/demo/access.log', write_mode: 'overwrite', file_mode: '0644' },
    },
  ],
});
