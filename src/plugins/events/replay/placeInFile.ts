import type { InputFile } from '../../shared/inputFile.js';

/** What a file has at a place: the start of a line (or the end of the file); else it is another one, or was cut. */
export type PlaceInFile = 'line' | 'inside_line' | 'beyond_end';

/** Looks at a place that was the start of a line once. Throws what the file system throws. */
export const placeInFile = async (
  file: InputFile,
  offset: number,
  { first, lineEnd }: { readonly first: number; readonly lineEnd: Buffer },
): Promise<PlaceInFile> => {
  const { size } = await file.stat();
  if (offset > size) return 'beyond_end';
  if (offset <= first || offset === size) return 'line';
  const before = Buffer.alloc(lineEnd.length);
  await file.read(before, 0, lineEnd.length, offset - lineEnd.length);
  return before.equals(lineEnd) ? 'line' : 'inside_line';
};
