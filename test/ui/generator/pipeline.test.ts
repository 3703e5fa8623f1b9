import { describe, expect, test } from '@jest/globals';
import {
  detailOf,
  failedPart,
  formatterOf,
  NO_PARTS,
  pictureParts,
} from '../../../src/ui/pages/generator/pipeline/parts.js';
import { pictureOf, pressureOf } from '../../../src/ui/pages/generator/pipeline/picture.js';
import { ended } from '../../../src/ui/pages/generator/recent.js';
import { historyOf, output, stats } from './support.js';

const CONFIG = {
  input: [{ cron: { expression: '* * * * *', count: 5 } }, { rate: { events_per_second: 20 } }],
  event: { script: { path: 'shop.js' } },
  output: [
    { file: { path: 'out/a.log', formatter: { format: 'json' } } },
    { http: { url: 'http://127.0.0.1:9/x', formatter: { format: 'plain' } } },
  ],
};
const PARTS = pictureParts(CONFIG);

describe('a part', () => {
  test('is told by its schedule, rate, path or address', () => {
    expect(PARTS.inputs.map(detailOf)).toEqual(['5 × * * * * *', '20 events/s']);
    expect(detailOf(PARTS.event)).toBe('shop.js');
    expect(PARTS.outputs.map(detailOf)).toEqual(['out/a.log', 'http://127.0.0.1:9/x']);
    expect(PARTS.outputs.map(formatterOf)).toEqual(['json', 'plain']);
  });

  test('of a template tells mode and number', () => {
    const templates = [{ a: { template: 'a.jinja' } }, { b: { template: 'b.jinja' } }];
    expect(detailOf({ name: 'template', values: { mode: 'chance', templates } })).toBe('chance, 2 templates');
  });

  test('tells what its placeholders stand for, and no secret', () => {
    const config = {
      ...CONFIG,
      input: [{ cron: { expression: '* * * * *', count: '${params.rate:-5}' } }],
      output: [
        {
          http: { url: 'http://${params.host}/${secrets.key}', formatter: { format: '${params.as:-json}' } },
        },
      ],
    };
    const { inputs, outputs } = pictureParts(config, { rate: 7, host: 'example.test' });
    expect(inputs.map(detailOf)).toEqual(['7 × * * * * *']);
    expect(outputs.map(detailOf)).toEqual(['http://example.test/secret key']);
    expect(outputs.map(formatterOf)).toEqual(['json']);
  });

  test('of a config that is no object does not exist', () => {
    expect(pictureParts('x')).toEqual({ inputs: [], event: null, outputs: [] });
  });
});

describe('the part that failed', () => {
  test('is the one whose value the reason names', () => {
    const refused = 'cannot open http://127.0.0.1:9/x: the connection was refused';
    expect(failedPart(refused, 'output_failed', PARTS)).toBe('output 1');
    expect(failedPart('script shop.js does not exist', 'plugin_failed', PARTS)).toBe('event');
  });

  test('is the one whose place the reason names', () => {
    expect(failedPart('output[0].file.path: directory "/x" does not exist', 'invalid', PARTS)).toBe(
      'output 0',
    );
    expect(failedPart('input.1.rate.events_per_second: too many', 'invalid', PARTS)).toBe('input 1');
  });

  test('is an output for the code of outputs, if there is only one', () => {
    const one = pictureParts({ ...CONFIG, output: [CONFIG.output[0] ?? {}] });
    expect(failedPart('no answer', 'output_failed', one)).toBe('output 0');
    expect(failedPart('no answer', 'output_failed', PARTS)).toBeNull();
  });

  test('is unknown for a thread that hung', () => {
    expect(failedPart('the thread hung', 'host_stalled', PARTS)).toBeNull();
  });
});

describe('the picture', () => {
  const before = stats({ produced: 100 });
  const failing = output({ written: 150, dead_lettered: 3, retries: 2, write_failed: 1, bytes: 900 });
  const after = stats({ produced: 200, output: [failing] });

  test('has counters, rates and troubles at their part', () => {
    const summary = {
      output: '1-file',
      letters: 2,
      bytes: 9,
      torn: 0,
      oldest: null,
      newest: null,
      reasons: [],
    };
    const picture = pictureOf(historyOf(before, after), PARTS, [
      summary,
      { ...summary, output: '2-file', letters: 7 },
    ]);
    expect(picture?.inputs[0]).toMatchObject({ plugin: 'cron', detail: '5 × * * * * *', rate: 100 });
    expect(picture?.outputs[0]).toMatchObject({
      formatter: 'json',
      count: 150,
      rate: 50,
      bytes: 900,
      troubles: [
        { count: 1, what: 'lost', isLoss: true },
        { count: 2, what: 'dead letters now', isLoss: false },
      ],
      notes: [
        { count: 3, what: 'dead letters since the start' },
        { count: 2, what: 'retries' },
      ],
    });
  });

  test('has no warning once the dead letters are delivered, and no rate once the run is over', () => {
    const picture = pictureOf(ended(historyOf(before, after)), PARTS, []);
    expect(picture?.outputs[0]?.troubles.map(({ what }) => what)).toEqual(['lost']);
    expect([picture?.inputs[0]?.rate, picture?.event.rate, picture?.outputs[0]?.rate]).toEqual([0, 0, 0]);
  });

  test('has no details of a config that is not the one that runs', () => {
    const kafka = stats({ output: [output({ plugin_name: 'kafka' })] });
    expect(pictureOf(historyOf(kafka), PARTS)?.outputs[0]).toMatchObject({ detail: '', formatter: '' });
  });

  test('shows the config before the first start', () => {
    const picture = pictureOf([], PARTS);
    expect(picture?.inputs.map(({ plugin, rate }) => [plugin, rate])).toEqual([
      ['cron', 0],
      ['rate', 0],
    ]);
    expect(picture?.event).toMatchObject({ plugin: 'script', detail: 'shop.js', count: 0 });
    expect(picture?.outputs.map(({ formatter }) => formatter)).toEqual(['json', 'plain']);
  });

  test('is none before the first start of a config that cannot be read', () => {
    expect(pictureOf([], NO_PARTS)).toBeNull();
  });
});

describe('pressure', () => {
  const params = {
    queue: { max_timestamp_batches: 10, max_event_batches: 10 },
    batch: { size: null, delay: 1 },
    live_mode: true,
  };
  const lateness = (le_ms: number, count = 10) => ({
    lateness_ms: { p50: 0, p99: 0, max: 0, buckets: [{ le_ms, count }] },
  });
  const outputs = [output({ written: 90 }), output({ written: 10, plugin_id: 2 })];
  const behind = { produced: 100, output: outputs, total_written: 100, ...lateness(5_000) };

  test('names the output with most events in flight when events are late', () => {
    const history = historyOf(stats({ output: outputs }), stats(behind));
    expect(pressureOf(history, params, 10)).toEqual({
      slow: 'output 1',
      queued: 10,
      room: 10,
      late_ms: 5_000,
    });
    // Below the limit of the queue too, if the output needs long for what it has.
    expect(pressureOf(history, params, 3).slow).toBe('output 1');
  });

  test('names no output while events are on time, however many batches it gathers', () => {
    const history = historyOf(stats({ output: outputs }), stats({ ...behind, ...lateness(50) }));
    expect(pressureOf(history, params, 30).slow).toBeNull();
  });

  test('names no single output after a patch, because the counters of a new one begin later', () => {
    const history = historyOf(stats({ output: outputs }), stats({ ...behind, total_written: 190 }));
    expect(pressureOf(history, params, 10).slow).toBe('outputs');
  });

  test('names the event plugin when events are late and the outputs keep up', () => {
    const history = historyOf(stats(), stats({ produced: 100, ...lateness(5_000) }));
    expect(pressureOf(history, params, 1).slow).toBe('event');
  });

  test('allows for the delay of batches, and for runs that are not live', () => {
    const history = (le_ms: number) => historyOf(stats(), stats({ produced: 100, ...lateness(le_ms) }));
    expect(pressureOf(history(2_500), params, 1).slow).toBeNull();
    expect(pressureOf(history(5_000), { ...params, live_mode: false }, 1).slow).toBeNull();
  });

  test('forgets lateness that is over', () => {
    const calm = Array.from({ length: 12 }, (_, second) =>
      stats({ produced: 100 + second, ...lateness(5_000) }),
    );
    expect(pressureOf(historyOf(stats(), ...calm), params, 1).slow).toBeNull();
  });
});

test('a pipeline says how many timestamps came from inputs that are gone', () => {
  const of = (total_generated: number) =>
    pictureOf(historyOf(stats({ produced: 90, total_generated })), NO_PARTS)?.removed;
  expect(of(435)).toBe(345);
  expect(of(90)).toBe(0);
});

describe('the templates of an event plugin', () => {
  const made = (counts: readonly number[]) => {
    const templates = counts.map((produced, index) => ({ name: `t${index}`, produced }));
    const base = stats({ produced: counts.reduce((sum, count) => sum + count, 0) });
    return { ...base, event: { ...base.event, templates } };
  };
  const eventOf = (...given: readonly ReturnType<typeof made>[]) =>
    pictureOf(historyOf(...given), NO_PARTS)?.event;

  test('have their share of the run and the rate of the last seconds', () => {
    const event = eventOf(made([10, 10]), made([70, 30]));
    expect(event?.templates).toEqual([
      { name: 't0', count: 70, share: 0.7, rate: 60 },
      { name: 't1', count: 30, share: 0.3, rate: 20 },
    ]);
    expect(event?.others).toBeNull();
  });

  test('are the six most frequent ones, in the order of the config, and the others together', () => {
    const event = eventOf(made([1, 50, 2, 10, 10, 10, 9, 8]));
    expect(event?.templates.map(({ name }) => name)).toEqual(['t1', 't3', 't4', 't5', 't6', 't7']);
    expect(event?.others).toEqual({ count: 2, share: 0.03 });
  });

  test('are none where the service does not count by template, and have no share before the first event', () => {
    expect(eventOf(stats({ produced: 5 }) as ReturnType<typeof made>)).toMatchObject({
      templates: [],
      others: null,
    });
    expect(eventOf(made([0, 0]))?.templates.map(({ share }) => share)).toEqual([0, 0]);
  });

  test('keep a rate when a patch moves one and adds another', () => {
    const moved = made([40, 30]);
    const templates = [
      { name: 't9', produced: 5 },
      { name: 't0', produced: 25 },
    ];
    const event = eventOf(made([10, 10]), { ...moved, event: { ...moved.event, templates } });
    expect(event?.templates.map(({ name, rate }) => [name, rate])).toEqual([
      ['t9', 5],
      ['t0', 15],
    ]);
  });
});
