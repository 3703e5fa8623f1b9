import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { createActor, fromCallback } from 'xstate';
import {
  type AskActor,
  askActors,
  askAround,
  askHere,
  type FindActor,
  type LocalAnswers,
} from '../../actors/ask.js';
import { failure, type Result } from '../../src/domain/errors.js';
import { knownSecrets } from '../../src/domain/secrets.js';
import { fakeClock } from '../support/clocks/fakeClock.js';

interface Question {
  readonly type: string;
  readonly payload: unknown;
  readonly reply: (answer: Result<never>) => void;
}

/** An actor that handles each message with this. */
const owner = (answer: (question: Question) => void) =>
  createActor(fromCallback<Question>(({ receive }) => receive(answer))).start();

const asking = (answer: (question: Question) => void) => {
  const clock = fakeClock();
  const actor = owner(answer);
  const asked: string[] = [];
  const find: FindActor = (name) => {
    asked.push(name);
    return actor;
  };
  return { clock, actor, asked, ask: askActors(find, clock) };
};

const right = (value: unknown): Result<never> => E.right(value as never);

describe('asking an actor', () => {
  test('resolves with its answer, Right or Left', async () => {
    const refusal = E.left(failure('wrong_state', 'not now'));
    expect(await asking(({ reply }) => reply(right(['a']))).ask('secrets.list', null)).toEqual(
      E.right(['a']),
    );
    expect(await asking(({ reply }) => reply(refusal)).ask('secrets.list', null)).toEqual(refusal);
  });

  test('sends type and payload to the owner of the message', async () => {
    const { ask, asked } = asking(({ type, payload, reply }) => reply(right({ type, payload })));
    expect(await ask('scenarios.read', { name: 'busy' })).toEqual(
      E.right({ type: 'scenarios.read', payload: { name: 'busy' } }),
    );
    expect(new Set(asked)).toEqual(new Set(['startup']));
    await ask('globals.read', { name: 'busy' });
    expect(new Set(asked)).toEqual(new Set(['startup', 'scenarios']));
  });

  test('the first answer counts', async () => {
    const { ask } = asking(({ reply }) => {
      reply(right(['first']));
      reply(right(['second']));
    });
    expect(await ask('secrets.list', null)).toEqual(E.right(['first']));
  });

  test('an actor that does not exist, has stopped or has failed is "unavailable", at once', async () => {
    const unavailable = { left: { code: 'unavailable' } };
    const { ask, actor } = asking(() => {});
    actor.stop();
    expect(await ask('secrets.list', null)).toMatchObject(unavailable);
    expect(await askActors(() => undefined, fakeClock())('secrets.list', null)).toMatchObject(unavailable);
    const failed = { getSnapshot: () => ({ status: 'error' }), send: () => {} };
    expect(await askActors(() => failed, fakeClock())('secrets.list', null)).toMatchObject(unavailable);
  });

  test('a silent actor is "timed_out" after the deadline of the message, not before', async () => {
    const { ask, clock } = asking(() => {});
    const answers: Result<unknown>[] = [];
    void ask('settings.read', { stored: false }).then((answer) => answers.push(answer));
    await clock.advanceMs(29_999);
    expect(answers).toEqual([]);
    await clock.advanceMs(1);
    expect(answers).toMatchObject([
      { left: { code: 'timed_out', message: 'settings.read: no answer within 30 s; look at the logs' } },
    ]);
  });

  test('the end of a generator may take any time', async () => {
    const replies: Question['reply'][] = [];
    const { ask, clock } = asking(({ reply }) => void replies.push(reply));
    const answers: Result<unknown>[] = [];
    void ask('generators.end', { id: 'a' }).then((answer) => answers.push(answer));
    await clock.advanceMs(1_000_000_000);
    expect(answers).toEqual([]);
    replies[0]?.(right(null));
    await clock.advanceMs(0);
    expect(answers).toEqual([E.right(null)]);
  });

  test('a mailbox that throws is a "bug", not a rejection', async () => {
    const broken = {
      getSnapshot: () => ({ status: 'active' }),
      send: () => {
        throw new Error('broken');
      },
    };
    expect(await askActors(() => broken, fakeClock())('secrets.list', null)).toMatchObject({
      left: { code: 'bug' },
    });
  });
});

describe('a request of the API', () => {
  const make = (more: Partial<LocalAnswers> = {}) => {
    const asked: Question[] = [];
    const noted: (readonly [string, string | null])[] = [];
    const known = knownSecrets();
    const actor = owner((question) => {
      asked.push(question);
      const refused = question.type === 'secrets.read';
      question.reply(refused ? E.left(failure('forbidden', 'hunter2 stays here')) : right({ etag: '"1"' }));
    });
    const here = askHere({
      find: () => actor,
      clock: fakeClock(),
      known,
      board: { noteScenario: (name, etag) => void noted.push([name, etag]) },
      answers: more as LocalAnswers,
    });
    const ask: AskActor = askAround(here, known, () => []);
    return { ask, asked, noted, known };
  };

  test('never shows a secret in an error', async () => {
    const { ask, known } = make();
    known.add('hunter2');
    expect(await ask('secrets.read', { name: 'a' })).toEqual(E.left(failure('forbidden', '*** stays here')));
  });

  test('that changes globals puts their entity tag on the board, a refused one does not', async () => {
    const { ask, noted } = make();
    await ask('globals.read', { name: 'busy' });
    await ask('secrets.read', { name: 'busy' });
    expect(noted).toEqual([]);
    await ask('globals.change', {
      name: 'busy',
      change: { kind: 'delete_key', key: 'a' },
      if_match: null,
      user: 'ann',
    });
    expect(noted).toEqual([['busy', '"1"']]);
  });

  test('that deletes a directory ends its previews', async () => {
    const { ask, asked } = make();
    await ask('configs.delete', { name: 'web', force: false });
    await Promise.resolve();
    expect(asked).toMatchObject([
      { type: 'configs.delete' },
      { type: 'preview.forget', payload: { name: 'web' } },
    ]);
  });

  test('that needs no actor is answered without one; a throw is a "bug"', async () => {
    const { ask, asked } = make({
      'instance.stop': () => E.right(null),
      'instance.restart': () => {
        throw new Error('broken');
      },
    });
    expect(await ask('instance.stop', null)).toEqual(E.right(null));
    expect(await ask('instance.restart', null)).toMatchObject({
      left: { code: 'bug', message: 'instance.restart: broken' },
    });
    expect(asked).toEqual([]);
  });
});
