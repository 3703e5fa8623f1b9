import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { Failed, failure } from '../../src/domain/errors.js';
import { type RunOptions, runPipeline } from '../../src/pipeline/run.js';
import type { EventProducer, Output } from '../../src/plugins/kit.js';
import {
  echoProducer,
  listInput,
  memoryOutput,
  partsOf,
  plainFormatter,
} from '../support/pipelines/pipelineParts.js';

/** A run of three events with these parts. */
const start = (parts: { readonly producer?: EventProducer; readonly output?: Output }) => {
  const input = listInput([1, 2, 3]);
  const output = parts.output ?? memoryOutput();
  const made = partsOf({ inputs: [input], outputs: [output] });
  const options: RunOptions = {
    ...made.parts,
    builders: {
      inputs: [async () => E.right(input)],
      producer: async () => E.right(parts.producer ?? echoProducer),
      formatters: [async () => E.right(plainFormatter)],
      outputs: [async () => E.right(output)],
    },
    outputLog: () => made.parts.log,
    deadLetters: () => null,
    start: () => ({ now: 0, skipPast: false }),
    checkpoint: null,
    onRunning: () => {},
  };
  return { ...made, ended: runPipeline(options) };
};

describe('a part of a pipeline that hangs', () => {
  test('while it closes is given up after ten seconds, with an error: the run ends', async () => {
    const output: Output = { ...memoryOutput(), close: () => new Promise(() => {}) };
    const { ended, clock, lines } = start({ output });
    let end: unknown = null;
    void ended.then((how) => {
      end = how;
    });
    await clock.advanceMs(9_999);
    expect(end).toBeNull();
    await clock.advanceMs(1);
    expect(end).toEqual(E.right('completed'));
    expect(lines.at(-1)).toMatchObject({ level: 'error', context: { reason: 'no answer within 10 s' } });
  });

  test('in a read ends the run with the error of the read, not as a bug', async () => {
    const error = failure('timed_out', '/mnt/x: the file system did not answer');
    const producer: EventProducer = { ...echoProducer, produce: () => Promise.reject(new Failed(error)) };
    expect(await start({ producer }).ended).toEqual(E.left(error));
  });
});
