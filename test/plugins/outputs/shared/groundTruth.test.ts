import { describe, expect, test } from '@jest/globals';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { labelled } from '../../../../src/plugins/outputs/shared/groundTruth.js';
import { memoryLog } from '../../../support/logs.js';

const ENTITIES = {
  victim: { login: 'bo.sato', display: 'Bo "Bobo" Sato', age: 41 },
  attacker: { ip: '198.51.100.7' },
  tries: 12,
};

/** Ground truth of events, all of the tag `theft`, and the warnings. */
const truthOf = (events: readonly string[], label: JsonObject) => {
  const { log, lines } = memoryLog();
  const all = { needsTags: false, choose: () => null };
  const { describe: lineOf, choose } = labelled(all, { theft: label }, 'vpn', log);
  const batch = textBatch(events);
  expect(choose(batch, ['other'])).toEqual([]);
  expect(choose(batch, ['own', 'theft'])).toBeNull();
  const written = lineOf?.({
    events: batch,
    tags: ['own', 'theft'],
    ordinals: events.map((_, index) => index),
    times: Float64Array.from(events, (_, index) => index * 1_000_000),
  });
  const truth = (written?.texts() ?? []).map((line) => JSON.parse(line) as JsonObject);
  return { truth, lines };
};

describe('a line of ground truth', () => {
  test('has time, generator, number and the members of its label', () => {
    const { truth } = truthOf(['a', 'b'], { what: 'theft', entities: 3 });
    expect(truth[1]).toEqual({
      at: '1970-01-01T00:00:01+00:00',
      generator: 'vpn',
      event: 2,
      mark: null,
      what: 'theft',
      entities: 3,
    });
  });

  test('names the entities that the event shows', () => {
    const { truth, lines } = truthOf(['user=BO.SATO@example.com src=198.51.100.7:4711'], {
      entities: ENTITIES,
    });
    expect(truth[0]).toMatchObject({ entities: ENTITIES });
    expect(truth[0]).not.toHaveProperty('not_in_event');
    expect(lines).toEqual([]);
  });

  test('finds them as JSON spells them', () => {
    const { truth } = truthOf([JSON.stringify({ name: 'Bo "Bobo" Sato' })], { entities: ENTITIES });
    expect(truth[0]).toMatchObject({ not_in_event: ['attacker'] });
  });

  test.each(['user=m.abbas src=198.51.100.77', 'xbo.sato', 'bo.sato2 1198.51.100.7'])(
    'does not name others for %s, and warns once',
    (event) => {
      const { truth, lines } = truthOf([event, event], { entities: ENTITIES });
      expect(truth.map(({ entities, not_in_event }) => [entities, not_in_event])).toEqual(
        Array.from({ length: 2 }, () => [{ tries: 12 }, ['victim', 'attacker']]),
      );
      expect(lines.map(({ level, context }) => [level, context['entity']])).toEqual([
        ['warning', 'victim'],
        ['warning', 'attacker'],
      ]);
    },
  );
});
