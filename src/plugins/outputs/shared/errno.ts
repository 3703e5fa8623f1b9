import { failure, reasonOf, type SpateError, systemCodeOf } from '../../../domain/errors.js';

interface Meaning {
  readonly words: string;
  readonly remedy: string;
}

const meaning = (words: string, remedy: string): Meaning => ({ words, remedy });

const MEANINGS: Readonly<Record<string, Meaning>> = {
  EACCES: meaning('permission is denied', 'Give the user of this process write access.'),
  EBADF: meaning(
    'the stream is closed or only open for reading',
    'Start the program with this stream open for writing.',
  ),
  EBUSY: meaning('it is in use', 'Stop the program that uses it.'),
  EDQUOT: meaning('the disk quota is exceeded', 'Free space or raise the quota.'),
  EFBIG: meaning('the file has reached its size limit', 'Raise the limit (ulimit -f) or start a new file.'),
  EIO: meaning('the device reported an input/output error', 'Check the device and the system log.'),
  EISDIR: meaning('it is a directory', 'Name a file in it.'),
  ELOOP: meaning('the path has too many symbolic links', 'Correct the links.'),
  EMFILE: meaning('this process has too many open files', 'Raise the limit (ulimit -n).'),
  ENAMETOOLONG: meaning('the name is too long', 'Choose a shorter one.'),
  ENFILE: meaning('the system has too many open files', 'Close some or raise the limit of the system.'),
  ENODEV: meaning('the device does not exist', 'Correct the path.'),
  ENOENT: meaning('a folder of the path does not exist', 'Create it or correct the path.'),
  ENOSPC: meaning('no space is left on the device', 'Free some space.'),
  ENOTDIR: meaning('a part of the path is not a directory', 'Correct the path.'),
  ENXIO: meaning('nothing reads this pipe', 'Start the reader first.'),
  EPERM: meaning('the system does not allow it', 'Check owner and attributes of the file.'),
  EPIPE: meaning('the reader went away', 'Start the reader again, then this generator.'),
  ECONNRESET: meaning('the reader went away', 'Start the reader again, then this generator.'),
  EROFS: meaning('the file system is read-only', 'Choose another path or mount it for writing.'),
  ESTALE: meaning('the file was removed on its server', 'Check the network file system.'),
  ETXTBSY: meaning('the file is a running program', 'Choose another file.'),
};

/** No reader will ever come back. */
const READER_GONE: ReadonlySet<string> = new Set(['EPIPE', 'ECONNRESET', 'ENXIO']);

const meaningOf = (thrown: unknown): Meaning => {
  const code = systemCodeOf(thrown);
  return MEANINGS[code] ?? meaning(reasonOf(thrown), 'Check the path and the system log.');
};

/**
 * A system error as a sentence: `act` (`cannot open /var/log/x.log`), cause, remedy. The code is `reader_gone` when a
 * pipe or socket lost its reader.
 */
export const systemFailure = (
  code: 'output_failed' | 'unwritable',
  act: string,
  thrown: unknown,
): SpateError => {
  const { words, remedy } = meaningOf(thrown);
  const name = systemCodeOf(thrown);
  return failure(
    READER_GONE.has(name) ? 'reader_gone' : code,
    `${act}: ${words}${name === '' ? '' : ` (${name})`}. ${remedy}`,
  );
};
