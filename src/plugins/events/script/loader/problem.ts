/** Why a script cannot be loaded, as a sentence for people; thrown inside the loader only. */
export class LoadProblem extends Error {}

/** SourcePosition in a source text, both counted from 1. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** `file:line:column`, or just the file where the position is not known. */
export const showPosition = (file: string, position: SourcePosition | null): string =>
  position === null ? file : `${file}:${position.line}:${position.column}`;
