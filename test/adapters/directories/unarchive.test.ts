import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { readArchive } from '../../../src/adapters/directories/unarchive.js';

interface Packed {
  readonly name: string;
  readonly content: string;
  /** Unix mode. */
  readonly mode?: number;
  /** What the archive claims instead of the truth. */
  readonly size?: number;
  readonly sum?: number;
  readonly isEncrypted?: boolean;
}

const U16 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt16LE(value, 2 * i);
  return bytes;
};
const U32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, 4 * i);
  return bytes;
};

/** A ZIP archive, honest or not. */
const zipOf = (files: readonly Packed[]): Buffer => {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, content, mode = 0o100644, size, sum, isEncrypted = false } of files) {
    const path = Buffer.from(name);
    const data = deflateRawSync(content);
    const about = Buffer.concat([
      U16(isEncrypted ? 0x801 : 0x800, 8, 0, 0),
      U32(sum ?? crc32(content), data.length, size ?? Buffer.byteLength(content)),
      U16(path.length, 0),
    ]);
    const entry = Buffer.concat([U32(0x04034b50), U16(20), about, path, data]);
    local.push(entry);
    const outside = Buffer.concat([U16(0, 0, 0), U32(mode << 16, offset)]);
    central.push(Buffer.concat([U32(0x02014b50), U16((3 << 8) | 20, 20), about, outside, path]));
    offset += entry.length;
  }
  const directory = Buffer.concat(central);
  const counts = U16(0, 0, files.length, files.length);
  const end = Buffer.concat([U32(0x06054b50), counts, U32(directory.length, offset), U16(0)]);
  return Buffer.concat([...local, directory, end]);
};

const LIMITS = { max_bytes: 100, max_files: 2 };
const read = (files: readonly Packed[]) => readArchive(zipOf(files), LIMITS);
const messages = async (bytes: Uint8Array): Promise<string> =>
  JSON.stringify(await readArchive(bytes, LIMITS));

describe('a ZIP archive', () => {
  test('gives its files, without its directories', async () => {
    const files = await read([
      { name: 'generator.yml', content: 'a' },
      { name: 'samples/', content: '', mode: 0o040755 },
      { name: 'samples/users.csv', content: 'id\n1\n' },
    ]);
    expect(files).toEqual({
      _tag: 'Right',
      right: [
        { path: 'generator.yml', bytes: Buffer.from('a') },
        { path: 'samples/users.csv', bytes: Buffer.from('id\n1\n') },
      ],
    });
  });

  test.each<[string, Packed, string]>([
    ['leads out of the directory', { name: '../x', content: '' }, 'x'],
    ['is absolute', { name: '/etc/x', content: '' }, 'absolute'],
    ['has a backslash', { name: 'a\\b', content: '' }, 'invalid characters'],
    ['hides its direction', { name: 'b\u202ecod.exe', content: '' }, 'direction'],
    ['is a link', { name: 'x', content: '/etc/passwd', mode: 0o120777 }, 'is a link'],
    ['is encrypted', { name: 'x', content: 'a', isEncrypted: true }, 'is encrypted'],
    ['is damaged', { name: 'x', content: 'a', sum: 1 }, 'its checksum is wrong'],
    ['unpacks to more than it claims', { name: 'x', content: 'a'.repeat(5_000), size: 10 }, 'too many bytes'],
  ])('is refused if an entry %s', async (_, entry, said) => {
    const answer = await read([entry]);
    expect(answer).toMatchObject({ left: { code: 'invalid' } });
    expect(JSON.stringify(answer)).toContain(said);
  });

  test('is refused beyond its limits, before it is unpacked, and with a name that is there twice', async () => {
    const file = (name: string) => ({ name, content: '' });
    expect(await read([{ name: 'x', content: 'a'.repeat(101) }])).toMatchObject({
      left: { code: 'too_large' },
    });
    expect(await read([{ name: 'x', content: 'a', size: 4e9 }])).toMatchObject({
      left: { code: 'too_large' },
    });
    expect(await read(['a', 'b', 'c'].map(file))).toMatchObject({ left: { code: 'too_large' } });
    expect(JSON.stringify(await read([file('a'), file('a')]))).toContain('twice');
  });

  test('is refused when it is cut anywhere', async () => {
    const whole = zipOf([{ name: 'a', content: 'text' }]);
    for (let length = 0; length < whole.length; length++)
      expect(await messages(whole.subarray(0, length))).toContain('must be a complete ZIP archive');
  });
});
