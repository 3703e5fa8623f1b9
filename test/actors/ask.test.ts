import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { createActor, fromCallback } from 'xstate';
import { ask } from '../../actors/ask.js';
import type { Result } from '../../src/domain/errors.js';

import { fakeClock } from '../support/fakeClock.js';

interface Question {
  readonly type: 'question';
  readonly reply: (answer: Result<string>) => void;
}

/** An actor that does this with every question. */
const owner = (answer: (question: Question) => void) =>
  createActor(fromCallback<Question>(({ receive }) => receive(answer))).start();

const options = () => ({ clock: fakeClock(), timeout_ms: 5_000, what: 'the question' });
const question = (reply: Question['reply']): Question => ({ type: 'question', reply });

describe('ask', () => {
  test('resolves with the answer, Right or Left', async () => {
    const refusal = E.left({ code: 'wrong_state' as const, message: 'not now' });
    expect(
      await ask(
        owner(({ reply }) => reply(E.right('42'))),
        question,
        options(),
      ),
    ).toEqual(E.right('42'));
    expect(
      await ask(
        owner(({ reply }) => reply(refusal)),
        question,
        options(),
      ),
    ).toEqual(refusal);
  });

  test('the first answer counts', async () => {
    const twice = owner(({ reply }) => {
      reply(E.right('first'));
      reply(E.right('second'));
    });
    expect(await ask(twice, question, options())).toEqual(E.right('first'));
  });

  test('an actor that does not exist, has stopped or has failed is "unavailable", at once', async () => {
    const stopped = owner(() => {});
    stopped.stop();
    const notStarted = createActor(fromCallback<Question>(() => {}));
    expect(await ask<Question, string>(undefined, question, options())).toMatchObject({
      left: { code: 'unavailable' },
    });
    expect(await ask(stopped, question, options())).toMatchObject({ left: { code: 'unavailable' } });
    expect(
      await ask<Question, string>(
        { getSnapshot: () => ({ status: 'error' }), send: () => {} },
        question,
        options(),
      ),
    ).toMatchObject({
      left: { code: 'unavailable' },
    });
    notStarted.stop();
  });

  test('a silent actor is "timed_out" after the deadline, not before', async () => {
    const given = options();
    const answers: Result<string>[] = [];
    void ask(
      owner(() => {}),
      question,
      given,
    ).then((answer) => answers.push(answer));
    await given.clock.advanceMs(4_999);
    expect(answers).toEqual([]);
    await given.clock.advanceMs(1);
    expect(answers).toMatchObject([
      { left: { code: 'timed_out', message: 'the question: no answer within 5 s; look at the logs' } },
    ]);
  });

  test('a target that throws is a "bug", not a rejection', async () => {
    const target = {
      getSnapshot: () => ({ status: 'active' }),
      send: () => {
        throw new Error('broken');
      },
    };
    expect(await ask<Question, string>(target, question, options())).toMatchObject({ left: { code: 'bug' } });
  });
});
