import { relative, sep } from 'node:path';
import { isErrorLike, printed } from '../../../domain/errors.js';

/** Anything a script threw, in words: never a stack trace. */
export interface Thrown {
  /** Class of an error, else the type of the value. */
  readonly name: string;
  readonly message: string;
  /** `file:line:column` in a file of the script, where the stack has one. */
  readonly location: string | null;
}

/** A path as people know it: relative to the folder of the generator when it is inside. */
export const shownPath = (file: string, directory: string): string => {
  const path = relative(directory, file);
  return path.startsWith(`..${sep}`) || path === '..' ? file : path;
};

const POSITION = /^:(\d+)(?::(\d+))?/;

/** Most of a stack that is searched for a place; a long message stands before the places. */
const MAX_STACK_CHARS = 65_536;

/** Where the places of a stack are, of an error with this message. */
const placesIn = (stack: string, message: unknown): string => {
  const from = typeof message === 'string' ? message.length : 0;
  return stack.length <= MAX_STACK_CHARS ? stack : stack.slice(from, from + MAX_STACK_CHARS);
};

/** First place of a stack that lies in one of the files. */
const placeIn = (stack: string, files: ReadonlySet<string>, directory: string): string | null => {
  for (const line of stack.split('\n')) {
    for (const file of files) {
      const at = line.indexOf(`${file}:`);
      const position = at < 0 ? null : POSITION.exec(line.slice(at + file.length));
      if (position !== null) return shownPath(file, directory) + position[0];
    }
  }
  return null;
};

/** `name` where it says something, else the class: own error classes seldom set their name. */
const className = (error: { readonly name: string }): string =>
  printed(error.name === 'Error' ? error.constructor.name : error.name);

/** Describes what was thrown; total, whatever it is. */
export const describeThrown = (thrown: unknown, files: ReadonlySet<string>, directory: string): Thrown => {
  try {
    if (isErrorLike(thrown)) {
      const stack = typeof thrown.stack === 'string' ? thrown.stack : '';
      return {
        name: className(thrown),
        message: printed(thrown.message),
        location: placeIn(placesIn(stack, thrown.message), files, directory),
      };
    }
  } catch {
    // A getter of the error threw: it is described as a plain value.
  }
  return { name: thrown === null ? 'null' : typeof thrown, message: printed(thrown), location: null };
};

/** One sentence part: `TypeError: message (script.js:3:9)`. */
export const showThrown = ({ name, message, location }: Thrown): string =>
  `${name}${message === '' ? '' : `: ${message}`}${location === null ? '' : ` (${location})`}`;
