import { relative, sep } from 'node:path';
import { isErrorLike, printed } from '../../../domain/errors.js';

/** A thrown value without its stack. */
export interface Thrown {
  /** Class of an error, or type of another value. */
  readonly name: string;
  readonly message: string;
  /** `file:line:column` in a script file, if the stack has one. */
  readonly location: string | null;
}

/** A path for messages: relative if below the folder of the generator. */
export const scriptPath = (file: string, directory: string): string => {
  const path = relative(directory, file);
  return path.startsWith(`..${sep}`) || path === '..' ? file : path;
};

const POSITION = /^:(\d+)(?::(\d+))?/;

const MAX_STACK_CHARS = 65_536;

const afterMessage = (stack: string, message: unknown): string => {
  const from = typeof message === 'string' ? message.length : 0;
  return stack.length <= MAX_STACK_CHARS ? stack : stack.slice(from, from + MAX_STACK_CHARS);
};

const locationIn = (stack: string, files: ReadonlySet<string>, directory: string): string | null => {
  for (const line of stack.split('\n')) {
    for (const file of files) {
      const at = line.indexOf(`${file}:`);
      const position = at < 0 ? null : POSITION.exec(line.slice(at + file.length));
      if (position !== null) return scriptPath(file, directory) + position[0];
    }
  }
  return null;
};

/** Custom classes rarely set `name`. */
const className = (error: { readonly name: string }): string =>
  printed(error.name === 'Error' ? error.constructor.name : error.name);

export const describeThrown = (thrown: unknown, files: ReadonlySet<string>, directory: string): Thrown => {
  try {
    if (isErrorLike(thrown)) {
      const stack = typeof thrown.stack === 'string' ? thrown.stack : '';
      return {
        name: className(thrown),
        message: printed(thrown.message),
        location: locationIn(afterMessage(stack, thrown.message), files, directory),
      };
    }
  } catch {
    // A getter threw: describe a plain value.
  }
  return { name: thrown === null ? 'null' : typeof thrown, message: printed(thrown), location: null };
};

export const showThrown = ({ name, message, location }: Thrown): string =>
  `${name}${message === '' ? '' : `: ${message}`}${location === null ? '' : ` (${location})`}`;
