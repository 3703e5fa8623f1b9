import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { failure } from '../../../../src/domain/errors.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import { seededRandom } from '../../../../src/domain/random.js';
import { deliverRows } from '../../../../src/plugins/outputs/postgresql/deliver.js';
import { eventRows } from '../../../../src/plugins/outputs/postgresql/rows.js';
import { type CopyError, copyError } from '../../../../src/plugins/outputs/postgresql/serverErrors.js';

const serverError = (code: string, where?: string): CopyError =>
  copyError(Object.assign(new Error(`error ${code}`), { severity: 'ERROR', code, where }));

/** Delivers `count` rows to a server that refuses the `bad` ones; `isNaming`: it names the line. */
const run = async (count: number, bad: ReadonlySet<number>, isNaming: boolean, lostAfter = Infinity) => {
  const stored: number[] = [];
  let copies = 0;
  const result = await deliverRows({
    rows: eventRows(textBatch(Array.from({ length: count }, (_, n) => String(n)))),
    copy: async (data) => {
      if (++copies > lostAfter)
        return E.left(copyError(Object.assign(new Error('gone'), { code: 'ECONNRESET' })));
      const numbers = data.toString('utf8').trimEnd().split('\n').map(Number);
      const first = numbers.findIndex((n) => bad.has(n));
      if (first < 0) {
        stored.push(...numbers);
        return E.right(numbers.length);
      }
      return E.left(
        serverError('22P02', isNaming ? `COPY events, line ${first + 1}, column event` : undefined),
      );
    },
    reasonOf: ({ what, isRetryable }) => failure(isRetryable ? 'output_failed' : 'rejected', what),
  });
  return { result, stored, copies };
};

describe('rows at fault', () => {
  test.each([true, false])(
    'are found, and the others are written once; the server names them: %s',
    async (isNaming) => {
      const random = seededRandom(11);
      for (let round = 0; round < 200; round++) {
        const count = 1 + Math.floor(random.next() * 300);
        const share = random.next() ** 3;
        const bad = new Set(Array.from({ length: count }, (_, n) => n).filter(() => random.next() < share));
        const { result, stored, copies } = await run(count, bad, isNaming);
        const good = Array.from({ length: count }, (_, n) => n).filter((n) => !bad.has(n));
        expect([...stored].sort((a, b) => a - b)).toEqual(good);
        const { written, missed } = E.isRight(result) ? result.right : { written: -1, missed: [] };
        expect(written).toBe(good.length);
        expect(missed.flatMap(({ items }) => items)).toEqual([...bad]);
        const perRow = isNaming ? 4 : 2 * Math.ceil(Math.log2(count + 1)) + 2;
        expect(copies).toBeLessThanOrEqual(2 + bad.size * perRow + Math.log2(count));
      }
    },
  );

  test('a loss of the connection after the first rows leaves the rest for a retry', async () => {
    const { result, stored } = await run(100, new Set([10, 50]), true, 3);
    expect(stored).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(result).toMatchObject({
      right: {
        written: 10,
        missed: [
          { items: [10], reason: { code: 'rejected' } },
          { items: Array.from({ length: 89 }, (_, n) => n + 11), reason: { code: 'output_failed' } },
        ],
      },
    });
  });

  test('a loss at the first copy is a Left', async () => {
    expect((await run(10, new Set(), true, 0)).result).toMatchObject({ left: { isRetryable: true } });
  });
});

describe('SQLSTATE', () => {
  test.each([
    ['22P02', 'row'],
    ['23505', 'row'],
    ['P0001', 'row'],
    ['44000', 'row'],
    ['54000', 'row'],
    ['08006', 'retry'],
    ['25006', 'retry'],
    ['40001', 'retry'],
    ['40P01', 'retry'],
    ['53100', 'retry'],
    ['53200', 'retry'],
    ['53300', 'retry'],
    ['55P03', 'retry'],
    ['57014', 'retry'],
    ['57P01', 'retry'],
    ['57P03', 'retry'],
    ['58030', 'retry'],
    ['XX000', 'retry'],
    ['ZZ999', 'retry'],
    ['0A000', 'reject'],
    ['28P01', 'reject'],
    ['28000', 'reject'],
    ['3D000', 'reject'],
    ['42501', 'reject'],
    ['42601', 'reject'],
    ['42P01', 'reject'],
    ['42703', 'reject'],
    ['55000', 'reject'],
  ])('%s: %s', (code, meaning) => {
    const { isRetryable, isRowFault, remedy } = serverError(code);
    expect(isRowFault ? 'row' : isRetryable ? 'retry' : 'reject').toBe(meaning);
    expect(isRowFault && isRetryable).toBe(false);
    expect(remedy).toMatch(/\.$/);
  });

  test('the line of the server is a row only where rows are at fault', () => {
    expect(serverError('22P02', 'COPY a, line 3, column n: "x"').row).toBe(2);
    expect(serverError('22P02', 'SQL function\nCOPY a, line 12').row).toBe(11);
    expect(serverError('22P02', 'COPY a, Zeile 3').row).toBeNull();
    expect(serverError('57014', 'COPY a, line 3').row).toBeNull();
  });
});
