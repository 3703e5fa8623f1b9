import { checkDirectoryName, checkGeneratorId } from '../../../domain/identifiers.js';

/** Names that a new generator must not have. */
export interface TakenNames {
  readonly directories: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
}

export const isTaken = (name: string, { directories, ids }: TakenNames): boolean =>
  directories.has(name) || ids.has(name);

/** The name, or with a number behind it if it is taken. */
export const freeGeneratorName = (wanted: string, taken: TakenNames): string => {
  if (!isTaken(wanted, taken)) return wanted;
  for (let number = 2; ; number++) {
    const name = `${wanted}-${number}`;
    if (!isTaken(name, taken)) return name;
  }
};

/** Returns why a name cannot be that of the directory and the generator, as a sentence. Null when it can. */
export const nameFlaw = (name: string, taken: TakenNames): string | null => {
  const flaw = checkDirectoryName(name) ?? checkGeneratorId(name);
  if (flaw !== null) return `The name ${flaw.message}.`;
  if (taken.directories.has(name))
    return `The generator directory "${name}" exists. Choose another name, for example ${freeGeneratorName(name, taken)}.`;
  if (taken.ids.has(name))
    return `A generator with the id "${name}" exists. Choose another name, for example ${freeGeneratorName(name, taken)}.`;
  return null;
};

/** Returns what keeps a generator from being created, for a note at the button. Null when nothing does. */
export const obstacleOf = (
  nameProblem: string | null,
  outputFlaws: Readonly<Record<string, string>>,
  times: string | null = null,
): string | null => {
  if (times !== null) return times;
  const [flaw] = Object.entries(outputFlaws);
  if (flaw === undefined) return nameProblem;
  return flaw[0] === 'created' ? flaw[1] : 'Fill in the missing fields of the output.';
};

/** A name of a generator from the name of a file. */
export const nameFromFile = (file: string): string => {
  const stem = file.replace(/(?:\.(?:log|txt|json|jsonl|ndjson|csv|out|xml))+$/i, '');
  const name = stem
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return name === '' ? 'replay' : name;
};
