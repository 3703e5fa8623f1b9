import type { Encoding } from '../../../domain/text/encodings.js';
import type { InputFile } from '../../shared/inputFile.js';

/** Byte order of a file, and the mark that says so. */
export interface ByteOrderMark {
  readonly order: 'little' | 'big';
  /** Bytes of the mark, which are no text. */
  readonly length: number;
}

const MARKS: Readonly<Record<1 | 2 | 4, readonly (readonly [order: ByteOrderMark['order'], hex: string])[]>> =
  {
    1: [['little', 'efbbbf']],
    2: [
      ['little', 'fffe'],
      ['big', 'feff'],
    ],
    4: [
      ['little', 'fffe0000'],
      ['big', '0000feff'],
    ],
  };

/** Byte order mark at the start of the file, for encodings that leave the order open. Throws what the file system throws. */
export const readByteOrderMark = async (
  file: InputFile,
  { unit, order }: Encoding,
): Promise<ByteOrderMark> => {
  if (order !== 'mark') return { order, length: 0 };
  const head = Buffer.alloc(4);
  const { bytesRead } = await file.read(head, 0, 4, 0);
  const start = head.subarray(0, bytesRead).toString('hex');
  const found = MARKS[unit].find(([, hex]) => start.startsWith(hex));
  return found === undefined
    ? { order: 'little', length: 0 }
    : { order: found[0], length: found[1].length / 2 };
};
