import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { type LibraryFolders, libraryFolders, movedPath } from '../adapters/directories/libraryFolders.js';
import { nodeFiles } from '../adapters/files/files.js';
import { MAX_CONFIG_BYTES } from '../config/generator/config.js';
import { copiedText } from '../config/library/pack.js';
import { failure, type Result, type SpateError } from '../domain/errors.js';
import {
  GENERATOR_FILE,
  isInCategory,
  LIBRARY_FILE,
  type LibraryFile,
  type LibraryItem,
  type LibraryText,
} from '../domain/library.js';
import { didYouMean } from '../domain/text/shown.js';
import type { CopyTarget, Library } from '../ports/files.js';
import { withText } from './texts.js';

const MAX_LIBRARY_BYTES = 262_144;

/** Bytes of texts in one answer: of a file, and of all. */
const MAX_TEXT_BYTES = 131_072;
const MAX_TEXTS_BYTES = 1_048_576;

const itemOf = async (folders: LibraryFolders, name: string): Promise<Result<LibraryItem>> => {
  const folder = folders.folderOf(name);
  const library = { file: join(folder, LIBRARY_FILE), text: '' };
  const generator = { file: join(folder, GENERATOR_FILE), text: '' };
  const texts = [
    await nodeFiles.readText(library.file, MAX_LIBRARY_BYTES),
    await nodeFiles.readText(generator.file, MAX_CONFIG_BYTES),
  ] as const;
  if (E.isLeft(texts[0])) return texts[0];
  if (E.isLeft(texts[1])) return texts[1];
  return withText('library.read', library.file, name, {
    library: { ...library, text: texts[0].right },
    generator: { ...generator, text: texts[1].right },
  });
};

/** A broken file of the library is no fault of the request. */
const brokenFile = ({ message }: SpateError): SpateError => failure('unreadable', message);

const list = async (folders: LibraryFolders): ReturnType<Library['list']> => {
  const names = await folders.names();
  if (E.isLeft(names)) return names;
  const items: LibraryItem[] = [];
  const rejected: SpateError[] = [];
  for (const name of names.right) {
    const item = await itemOf(folders, name);
    if (E.isLeft(item)) rejected.push(item.left);
    else if (isInCategory(name, item.right.category)) items.push(item.right);
  }
  return E.right({ items, rejected });
};

const unknown = (name: string, known: readonly string[]): SpateError => {
  const near = known.filter((one) => one.includes(name));
  const names = (near.length === 0 ? known : near).join(', ');
  const all = known.length === 0 ? 'The library is empty.' : `Known: ${names}.`;
  return failure('not_found', `There is no library generator '${name}'. ${didYouMean(name, known) ?? all}`);
};

const read = async (folders: LibraryFolders, name: string): Promise<Result<LibraryItem>> => {
  const names = await folders.names();
  if (E.isLeft(names)) return names;
  if (names.right.includes(name)) {
    const item = await itemOf(folders, name);
    if (E.isLeft(item)) return E.left(brokenFile(item.left));
    if (isInCategory(name, item.right.category)) return item;
  }
  const listed = await list(folders);
  return E.isLeft(listed)
    ? listed
    : E.left(
        unknown(
          name,
          listed.right.items.map((item) => item.name),
        ),
      );
};

/** Returns the bytes of a file as text, or null when they are not UTF-8 or hold a zero byte. */
const textOf = (bytes: Uint8Array): string | null => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
};

const shownTexts = (files: readonly LibraryFile[]): readonly LibraryText[] => {
  let left_bytes = MAX_TEXTS_BYTES;
  return files.map(({ path, bytes }) => {
    const isShown = bytes.length <= Math.min(MAX_TEXT_BYTES, left_bytes);
    if (isShown) left_bytes -= bytes.length;
    return { path, size_bytes: bytes.length, text: isShown ? textOf(bytes) : null };
  });
};

const copied = (
  folders: LibraryFolders,
  from: string,
  { folder, ...target }: CopyTarget,
  files: readonly LibraryFile[],
): readonly LibraryFile[] =>
  files.map(({ path, bytes }) => {
    const text = textOf(bytes);
    if (text === null) return { path, bytes };
    const moved = (way: string): string | null => movedPath(folders.folderOf(from), folder, way);
    const copy = copiedText(path, text, { from, ...target, moved });
    return { path: copy.path, bytes: new TextEncoder().encode(copy.text) };
  });

/** The library in a folder: that of the package, unless the user has one. */
export const openLibrary = (root: string): Library => {
  const folders = libraryFolders(root);
  const filesOf = async (name: string): Promise<Result<readonly LibraryFile[]>> => {
    const item = await read(folders, name);
    return E.isLeft(item) ? item : folders.files(name);
  };
  return {
    list: () => list(folders),
    read: (name) => read(folders, name),
    texts: async (name) => E.map(shownTexts)(await filesOf(name)),
    copy: async (name, target) =>
      E.map((files: readonly LibraryFile[]) => copied(folders, name, target, files))(await filesOf(name)),
    folderOf: folders.folderOf,
  };
};
