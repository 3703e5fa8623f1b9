import { readFile } from 'node:fs/promises';
import * as E from 'fp-ts/lib/Either.js';
import { readArchive } from '../../adapters/directories/unarchive.js';
import { nodeFiles } from '../../adapters/files/files.js';
import { MAX_CONFIG_BYTES } from '../../config/generator/config.js';
import { type GeneratorText, MAX_FILES, MAX_TEXTS_BYTES } from '../../config/generator/texts.js';
import type { Upload } from '../../domain/directory.js';
import { failure, type Result } from '../../domain/errors.js';
import type { NewFile } from '../../ports/files.js';
import { withText } from '../texts.js';

/** How a ZIP archive with an entry begins. */
const ARCHIVE_START = Buffer.from('PK\u0003\u0004', 'latin1');

/** Text of an uploaded config, without its temporary path in errors. */
export const readUpload = async ({ file, size_bytes }: Upload): Promise<Result<string>> => {
  const text = await nodeFiles.readText(file, MAX_CONFIG_BYTES);
  if (E.isRight(text)) return text;
  if (size_bytes > MAX_CONFIG_BYTES)
    return E.left(failure('too_large', `A config may have at most ${MAX_CONFIG_BYTES} bytes.`));
  const { issues } = text.left;
  return E.left(
    failure('invalid', 'A config must be text in UTF-8.', issues === undefined ? {} : { issues }),
  );
};

/** Files of an uploaded ZIP archive, whose config and paths are checked as those of a JSON text are. */
const readZip = async (bytes: Uint8Array, config_file: string): Promise<Result<readonly NewFile[]>> => {
  const files = await readArchive(bytes, { max_bytes: MAX_TEXTS_BYTES, max_files: MAX_FILES });
  if (E.isLeft(files)) return files;
  const config = files.right.find(({ path }) => path === config_file);
  if (config === undefined) {
    const message = `must have ${config_file} at its top, as an exported archive has`;
    return E.left(
      failure('invalid', `The archive ${message}.`, { issues: [{ path: [], type: 'missing', message }] }),
    );
  }
  const others = files.right.filter((file) => file !== config);
  const texts = {
    config: Buffer.from(config.bytes).toString('utf8'),
    files: Object.fromEntries(others.map(({ path }) => [path, ''])),
  };
  const checked = await withText('generator.texts', '', JSON.stringify(texts), config_file);
  return E.isLeft(checked) ? checked : files;
};

/** Files of an upload: a ZIP archive, or a JSON text, which is parsed on a thread. */
export const readWhole = async (upload: Upload, config_file: string): Promise<Result<readonly NewFile[]>> => {
  if (upload.size_bytes > MAX_TEXTS_BYTES)
    return E.left(failure('too_large', `A generator may have at most ${MAX_TEXTS_BYTES} bytes.`));
  const bytes = await readFile(upload.file);
  if (bytes.subarray(0, ARCHIVE_START.length).equals(ARCHIVE_START)) return readZip(bytes, config_file);
  const json = await nodeFiles.readText(upload.file, MAX_TEXTS_BYTES);
  if (E.isLeft(json)) {
    const issues = [{ path: [], type: 'bad_format', message: 'must be JSON in UTF-8, or a ZIP archive' }];
    return E.left(failure('invalid', 'The files must be JSON in UTF-8, or a ZIP archive.', { issues }));
  }
  const encoder = new TextEncoder();
  return E.map((texts: readonly GeneratorText[]) =>
    texts.map(({ path, text }): NewFile => ({ path, bytes: encoder.encode(text) })),
  )(await withText('generator.texts', '', json.right, config_file));
};
