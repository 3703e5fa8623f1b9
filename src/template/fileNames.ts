import { isAbsolute } from 'node:path';

/** Size limit of a template, in bytes: a wrong path must not fill the memory. */
export const MAX_TEMPLATE_BYTES = 16 * 1024 * 1024;

/** True for names outside the folder, and names that are not files. */
export const isOutsideName = (name: string): boolean =>
  name === '' || name.includes('\0') || isAbsolute(name) || name.split(/[/\\]/).includes('..');
