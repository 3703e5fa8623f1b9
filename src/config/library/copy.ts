import { GENERATOR_FILE, README_FILE } from '../../domain/library.js';

/** What a copy changes in its texts. */
export interface Renaming {
  /** Name in the library. */
  readonly from: string;
  readonly name: string;
  /** Path of the copy in commands. */
  readonly shown: string;
  readonly config_filename: string;
  /** Returns the new target of a relative path that leads out of the generator, or null when nothing is there. */
  readonly moved: (target: string) => string | null;
}

const SCHEMA_LINE = /^(# yaml-language-server: \$schema=)(\S+)[ \t]*(?:\r?\n|$)/m;

const isOutside = (target: string): boolean => target.startsWith('../');

const withSchema = (text: string, { moved }: Renaming): string =>
  text.replace(SCHEMA_LINE, (line: string, start: string, target: string) => {
    if (!isOutside(target)) return line;
    const found = moved(target);
    return found === null ? '' : `${start}${found}\n`;
  });

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Links keep their target; the name changes elsewhere, `generators/NAME` becomes the path of the copy. */
const renamed = (text: string, { from, name, shown, moved }: Renaming): string => {
  const link = '\\]\\(([^)\\s#]+)([^)]*)\\)';
  const path = `(?<![\\w/.-])generators/${escaped(from)}(?![\\w-])`;
  const plain = `(?<![\\w-])${escaped(from)}(?![\\w-])`;
  return text.replaceAll(
    new RegExp(`${link}|(${path})|(${plain})`, 'g'),
    (whole: string, target: string | undefined, rest: string | undefined, found: string | undefined) => {
      if (target === undefined) return found === undefined ? name : shown;
      return isOutside(target) ? `](${moved(target) ?? target}${rest ?? ''})` : whole;
    },
  );
};

/** Path and text of a file in the copy. The README tells the new name, schema lines lead to the schema. */
export const copiedText = (
  path: string,
  text: string,
  renaming: Renaming,
): { readonly path: string; readonly text: string } => {
  if (path === README_FILE) return { path, text: renamed(text, renaming) };
  if (path === GENERATOR_FILE) return { path: renaming.config_filename, text: withSchema(text, renaming) };
  return { path, text };
};
