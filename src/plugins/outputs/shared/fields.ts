import { defaulted, number, text } from '../../../schema/index.js';

/** Fields that stdout and file have in common, each made for the place it stands in. */
export const flushIntervalField = (help: string) =>
  defaulted(number({ min: 0 }), 1, { help, unit: 'seconds' });

/** Text after every event, a line end unless the config says otherwise. */
export const separatorField = () =>
  defaulted(text(), '\n', { help: 'Text written after every event.', example: '\n' });
