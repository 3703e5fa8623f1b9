import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { problemsOf } from './rows.js';
import { LACKING, SHARED_ROWS } from './sharedRows.js';
import { FAULTS, OUTPUTS, TABLE } from './table.js';

const CELLS = OUTPUTS.flatMap((output) =>
  FAULTS.map((fault) => ({ output, fault, cell: TABLE[output][fault] })),
);

describe('the table of faults', () => {
  test('has a cell for each output under each fault', () => {
    expect(CELLS).toHaveLength(OUTPUTS.length * FAULTS.length);
    expect(Object.keys(TABLE)).toEqual([...OUTPUTS]);
    for (const output of OUTPUTS) expect(Object.keys(TABLE[output])).toEqual([...FAULTS]);
  });

  test.each(CELLS)(
    '$output x $fault says how it is made and what is seen, or why it cannot be',
    ({ cell }) => {
      const sentences = Object.values(cell);
      expect(sentences).toHaveLength('made' in cell ? 2 : 1);
      for (const sentence of sentences) expect(sentence.split(' ').length).toBeGreaterThan(3);
    },
  );

  test.each(OUTPUTS)('the rows of %s are held against it', (output) => {
    const source = readFileSync(join(import.meta.dirname, `${output}.test.ts`), 'utf8');
    expect(source).toContain(`faultRows('${output}', {`);
  });

  test('a row without a test and a test of a row that cannot be are found', () => {
    const none = async (): Promise<void> => {};
    expect(problemsOf('stdout', {})).toHaveLength(6);
    expect(problemsOf('stdout', { 'auth error': { title: none } })).toContain(
      'stdout x auth error has a test, and a reason why it cannot',
    );
    const { fault, title } = SHARED_ROWS.mute;
    expect(problemsOf('nats', { [fault]: { another: none } })).toContain('nats x hung: mute has no test');
    expect(problemsOf('s3', { [fault]: { [title]: none } })).toContain(
      's3 x hung: mute has a test, and a reason why it cannot',
    );
  });

  test.each(OUTPUTS)('says of each row that outputs share why %s lacks it', (output) => {
    for (const reason of Object.values(LACKING[output] ?? {})) {
      expect(reason.split(' ').length).toBeGreaterThan(3);
    }
  });
});
