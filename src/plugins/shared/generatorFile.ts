import { resolve } from 'node:path';

/** Absolute path of a file that a config names: relative paths start at the folder of the generator. */
export const generatorFile = (context: { readonly directory: string }, path: string): string =>
  resolve(context.directory, path);
