/**
 * A template of 380 bytes, to a file, against a hand-written loop over a template literal that writes the same bytes
 * with the same random numbers.
 */
import { join } from 'node:path';
import { sameBytes } from '../lib/content.mjs';
import { DIST, everyMs, generateCommand, nodeCommand, PEERS, writeFiles } from '../lib/spate.mjs';

const EVENTS = 4_000_000;
const SEED = 'bench';
const TEMPLATE = `{"@timestamp": "{{ timestamp.isoformat() }}", "level": "{{ ['INFO', 'WARN', 'ERROR', 'DEBUG']|random }}", "host": "{{ ['web-01', 'web-02', 'db-01']|random }}", "user": "{{ ['alice', 'bob', 'carol']|random }}", "method": "{{ ['GET', 'POST']|random }}", "path": "/orders/{{ range(1, 10000)|random }}", "status": {{ [200, 404, 500]|random }}, "bytes": {{ range(100, 99999)|random }}}`;

export const limits =
  'Random picks and printing numbers, then joining strings; garbage collection is a tenth.';

export const disk_bytes = 2 * 200 * EVENTS;

export const pairs = async ({ folder, scale }) => {
  const config = join(folder, 'generator.yml');
  const [ours, loop] = ['ours.log', 'loop.log'].map((name) => join(folder, name));
  const events = Math.ceil(EVENTS * scale);
  writeFiles(folder, {
    'generator.yml': `input: [${everyMs(events)}]
event: {template: {mode: all, templates: [{event: {template: event.jinja}}]}}
output: [file: {path: ours.log}]
`,
    'event.jinja': TEMPLATE,
  });
  return {
    folder,
    config,
    sides: {
      spate: {
        command: () => generateCommand(config, '--seed', SEED),
        output: ours,
        events,
      },
      loop: {
        command: () => nodeCommand(join(PEERS, 'json.mjs'), [DIST, events, SEED, loop]),
        output: loop,
        events,
      },
    },
    bars: { loop: 0.5 },
    verify: () => sameBytes(ours, loop),
  };
};
