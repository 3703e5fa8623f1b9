import { buffer } from 'node:stream/consumers';
import * as E from 'fp-ts/lib/Either.js';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { checkFilePath } from '../../domain/directory.js';
import { failure, type Issue, type Result, reasonOf } from '../../domain/errors.js';
import { CRC_START, crcOf, feedBytes } from '../../domain/text/crc32.js';
import type { NewFile } from '../../ports/files.js';

/** What an archive may hold. */
export interface ArchiveLimits {
  /** Of all files together, unpacked. */
  readonly max_bytes: number;
  readonly max_files: number;
}

const LINK = 0o120000;
const FILE_TYPE = 0o170000;

/** Unix mode of an entry, if a program on Unix wrote it. */
const isLink = ({ externalFileAttributes }: Entry): boolean =>
  ((externalFileAttributes >>> 16) & FILE_TYPE) === LINK;

/** Why an entry is refused, or null. */
const entryFlaw = (entry: Entry): string | null => {
  const flaw = checkFilePath(entry.fileName);
  if (flaw !== null) return `as a path ${flaw.message}`;
  if (isLink(entry)) return 'is a link';
  if (!entry.canDecodeFileData()) return 'is encrypted, or compressed in a way that is not known';
  return null;
};

const refused = (issues: readonly Issue[]): Result<never> =>
  E.left(failure('invalid', 'The archive cannot be used.', { issues }));

const issueOf = (name: string, type: string, message: string): Issue => ({
  path: name === '' ? [] : [name],
  type,
  message,
});

const readEntries = async (
  zip: ZipFile,
  { max_bytes, max_files }: ArchiveLimits,
): Promise<Result<readonly NewFile[]>> => {
  const files = new Map<string, Uint8Array>();
  let size = 0;
  for await (const entry of zip.eachEntry()) {
    const { fileName: name, uncompressedSize } = entry;
    if (name.endsWith('/')) continue;
    const flaw = entryFlaw(entry);
    if (flaw !== null) return refused([issueOf(name, 'not_allowed', flaw)]);
    if (files.has(name)) return refused([issueOf(name, 'not_unique', 'is in the archive twice')]);
    // What an entry claims is held to when it is unpacked.
    size += uncompressedSize;
    if (size > max_bytes || files.size === max_files)
      return E.left(
        failure(
          'too_large',
          `The archive must not have more than ${max_files} files or ${max_bytes} bytes unpacked.`,
        ),
      );
    const bytes = await buffer(await zip.openReadStreamPromise(entry));
    if (crcOf(feedBytes(CRC_START, bytes, 0, bytes.length)) !== entry.crc32)
      return refused([issueOf(name, 'bad_format', 'is damaged: its checksum is wrong')]);
    files.set(name, bytes);
  }
  return E.right([...files].map(([path, bytes]): NewFile => ({ path, bytes })));
};

/**
 * Files of a ZIP archive (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT), without its empty directories.
 * Returns `invalid` for damaged archives and for entries that are no plain files with valid paths, `too_large` beyond
 * the limits. An archive that unpacks to more than it claims is damaged.
 */
export const readArchive = async (
  bytes: Uint8Array,
  limits: ArchiveLimits,
): Promise<Result<readonly NewFile[]>> => {
  try {
    const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      strictFileNames: true,
      validateEntrySizes: true,
    });
    return await readEntries(zip, limits);
  } catch (thrown) {
    return refused([issueOf('', 'bad_format', `must be a complete ZIP archive: ${reasonOf(thrown)}`)]);
  }
};
