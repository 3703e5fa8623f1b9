/** Why a script cannot be loaded; thrown inside the loader only. */
export class LoadProblem extends Error {}

/** From 1. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

export const showPosition = (file: string, position: SourcePosition | null): string =>
  position === null ? file : `${file}:${position.line}:${position.column}`;
