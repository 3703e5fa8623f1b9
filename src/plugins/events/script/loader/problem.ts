/** Why a script cannot be loaded, as a sentence for people; thrown inside the loader only. */
export class LoadProblem extends Error {}

/** Place in a source text, both counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** `file:line:column`, or just the file where the place is not known. */
export const showPlace = (file: string, place: Place | null): string =>
  place === null ? file : `${file}:${place.line}:${place.column}`;
