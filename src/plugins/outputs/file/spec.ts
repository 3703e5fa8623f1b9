import { defaulted, number, oneOf, path, required } from '../../../schema/index.js';
import { outputPlugin } from '../../declare.js';
import { encodingField } from '../../shared/encodingField.js';
import { flushIntervalField, separatorField } from '../shared/fields.js';
import { fileMode } from './fileMode.js';

export const fileFields = {
  path: required(path(), {
    help: 'File to write, relative to the folder of the generator config. Missing folders are created.',
    example: 'out/events.log',
  }),
  flush_interval: flushIntervalField(
    'Events are handed to the system with every write; this often at most the output looks whether its file ' +
      'was deleted, and then begins a new one. 0: with every write.',
  ),
  cleanup_interval: defaulted(number({ min: 1 }), 10, {
    help: 'After this long without a write the file is closed; the next write opens it again.',
    unit: 'seconds',
  }),
  file_mode: defaulted(fileMode(), 640, {
    help: 'Permissions of a file that is created, as octal digits (640 or "0640"), less the umask of the process.',
  }),
  write_mode: defaulted(oneOf(['append', 'overwrite']), 'append', {
    help: '`overwrite` empties the file once, when the generator starts.',
  }),
  encoding: encodingField('Encoding of what is written.'),
  separator: separatorField(),
};

export const fileSpec = outputPlugin({
  name: 'file',
  summary: 'Writes events to a file.',
  notes: [
    'A batch is in the file whole or not at all: what a failed write (a full disk, say) left behind is cut off ' +
      'again, so that it can be tried once more. Where another program appended in between nothing is cut off; the ' +
      'half event is then ended with a separator.',
    'A file whose end is not a separator when it is opened (the machine or the process was killed in the middle of ' +
      'a write) gets one first, so that the new events never continue an old line. What was there stays.',
    'A deleted file is created again, its folder too; what was written since `flush_interval` before that is gone ' +
      'with it. A renamed file keeps receiving events until the next idle close.',
    'An event that the encoding cannot spell is left out, logged and counted; the others are written. In utf_8, ' +
      'half of a surrogate pair is written as U+FFFD.',
    'A path that is a pipe or a device is written like standard output: its reader sets the pace and it stays open. ' +
      'A pipe needs its reader when the generator starts.',
  ],
  fields: fileFields,
  examples: [
    { title: 'Append lines', params: { path: 'out/events.log' } },
    {
      title: 'Begin anew, readable by all',
      params: { path: '/var/log/demo/access.log', write_mode: 'overwrite', file_mode: '0644' },
    },
  ],
});
