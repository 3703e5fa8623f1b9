import { resolve } from 'node:path';

/** Absolute path; relative ones start at the folder of the generator. */
export const generatorFile = (context: { readonly directory: string }, path: string): string =>
  resolve(context.directory, path);
