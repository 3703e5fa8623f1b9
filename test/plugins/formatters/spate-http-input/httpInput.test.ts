import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { bytesBatch, emptyBatch, textBatch } from '../../../../src/domain/events/eventBatch.js';
import { httpInputPlugin } from '../../../../src/plugins/formatters/spate-http-input/plugin.js';
import { formatterShape, generatorShape } from '../../../../src/plugins/generatorShape.js';
import type { FormatterContext } from '../../../../src/plugins/kit.js';
import { decode, readBack } from '../../../../src/schema/index.js';

const build = async () => {
  const built = await httpInputPlugin.build({}, {} as FormatterContext);
  if (E.isLeft(built)) throw new Error(built.left.message);
  return built.right;
};

describe('the formatter spate-http-input', () => {
  test('gives one text that counts the events of the batch, as texts or bytes', async () => {
    const { format, joins } = await build();
    expect(joins).toBe(true);
    for (const batch of [textBatch(['', 'no JSON', '{}']), bytesBatch(Buffer.from('a\nb\nc\n'), 3)]) {
      const { batch: items, eventsPerItem, failures } = format(batch);
      expect([items.texts(), eventsPerItem, failures]).toEqual([['{"count": 3}'], 3, []]);
    }
  });

  test('sends nothing for no events', async () => {
    expect((await build()).format(emptyBatch).batch.count).toBe(0);
  });

  test.each(['spate-http-input', 'eventum-http-input'])('is %s, read back as it was written', (format) => {
    expect(decode(formatterShape, { format })).toMatchObject({
      right: { kind: 'spate-http-input', alias: format },
    });
    const config = {
      input: [{ static: { count: 1 } }],
      event: { script: { path: 'a.js' } },
      output: [{ stdout: { formatter: { format } } }],
    };
    expect(readBack(generatorShape, config)).toMatchObject({
      output: [{ stdout: { formatter: { format } } }],
    });
    expect(JSON.stringify(generatorShape.schema)).toContain(`"const":"${format}"`);
  });

  test('has no options', () => {
    expect(E.isLeft(decode(formatterShape, { format: 'spate-http-input', indent: 2 }))).toBe(true);
  });
});
