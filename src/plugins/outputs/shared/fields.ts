import { defaulted, number, text } from '../../../schema/index.js';

export const flushIntervalField = (help: string) =>
  defaulted(number({ min: 0 }), 1, { help, unit: 'seconds' });

export const separatorField = () =>
  defaulted(text(), '\n', { help: 'Text after every event.', example: '\n' });
