import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import { makeFileWriter } from '../../../../src/plugins/outputs/file/fileWriter.js';
import { ownDescriptor } from '../../../../src/plugins/outputs/shared/descriptor.js';
import { makeEncoder } from '../../../../src/plugins/outputs/shared/encoder.js';
import { fakeClock } from '../../../support/clocks/fakeClock.js';
import { memoryLog } from '../../../support/logs.js';
import { never, newFolder, removeFolders } from '../support.js';

afterAll(removeFolders);

/** A real file behind a device that has room for so many bytes more; `onFull` runs before it answers. */
const setUp = (content = '', head = '') => {
  const path = join(newFolder(), 'out.log');
  fs.writeFileSync(path, content);
  const fd = fs.openSync(path, fs.constants.O_WRONLY | fs.constants.O_APPEND);
  const real = ownDescriptor(fd, true);
  let room = Number.POSITIVE_INFINITY;
  let onFull = (): void => {};
  const { log, lines } = memoryLog();
  const encoder = makeEncoder('utf_8', '\n', log);
  if (E.isLeft(encoder)) throw new Error(encoder.left.message);
  const writer = makeFileWriter({
    fd,
    path,
    size: content.length,
    head: Buffer.from(head),
    separator: encoder.right.separator,
    clock: fakeClock(),
    log,
    descriptor: {
      ...real,
      put: async (bytes, from, to) => {
        const count = Math.min(to - from, room);
        if (count === 0) {
          onFull();
          throw Object.assign(new Error('full'), { code: 'ENOSPC' });
        }
        room -= count;
        return await real.put(bytes, from, from + count);
      },
    },
  });
  return {
    path,
    lines,
    text: () => fs.readFileSync(path, 'utf8'),
    close: writer.close,
    write: (bytes: number, texts: readonly string[], then = (): void => {}) => {
      room = bytes;
      onFull = then;
      return writer.write(encoder.right.encode(textBatch(texts)), never);
    },
  };
};

describe('a batch in a file, whole or not at all', () => {
  test('what a full disk left behind is cut off, so that the batch can be tried again', async () => {
    const { write, text, close } = setUp('before\n');
    expect(await write(6, ['one', 'two'])).toMatchObject({
      left: { code: 'unwritable', message: expect.stringContaining('no space is left on the device') },
    });
    expect(text()).toBe('before\n');
    expect(await write(100, ['one', 'two'])).toEqual(E.right({ written: 2, failed: 0, bytes: 8 }));
    expect(text()).toBe('before\none\ntwo\n');
    await close();
  });

  test('short writes are put together', async () => {
    const { write, text, close } = setUp();
    await write(8, ['one', 'two']);
    expect(text()).toBe('one\ntwo\n');
    await close();
  });

  test('the bytes before the first event are cut off with it and written with the next try', async () => {
    const { write, text, close } = setUp('half', '\n');
    await write(3, ['one']);
    expect(text()).toBe('half');
    await write(100, ['one']);
    expect(text()).toBe('half\none\n');
    await close();
  });

  test('nothing is cut off where another program appended in between', async () => {
    const { write, text, path, lines, close } = setUp();
    const result = await write(6, ['one', 'two', 'three'], () => fs.appendFileSync(path, 'by others\n'));
    expect(result).toMatchObject({
      right: { written: 1, failed: 2, bytes: 6, stopped: { count: 2, reason: { code: 'unwritable' } } },
    });
    expect(text()).toBe('one\ntwby others\n');
    expect(lines).toMatchObject([{ level: 'error', context: { written: 1, failed: 2, file_path: path } }]);
    await close();
  });
});
