import { isAbsolute } from 'node:path';

/** Longest text of one template, so that a wrong path does not fill the memory. */
export const MAX_TEMPLATE_BYTES = 16 * 1024 * 1024;

/** True for names of templates that could leave their folder, or that mean no file. */
export const isOutsideName = (name: string): boolean =>
  name === '' || name.includes('\0') || isAbsolute(name) || name.split(/[/\\]/).includes('..');
