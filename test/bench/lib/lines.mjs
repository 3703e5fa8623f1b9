/** Cases of one short line: the smallest template, to one place or several, against a hand-written loop. */
import { join } from 'node:path';
import { sameBytes } from './content.mjs';
import { everyMs, generateCommand, nodeCommand, PEERS, writeFiles } from './spate.mjs';

/** What the smallest template writes after its timestamp. */
export const TAIL = ' hello';
/** Of a line of it. */
export const LINE_BYTES = 32 + TAIL.length + 1;

const TEMPLATE = `{{ timestamp.isoformat() }}${TAIL}`;

/** Writes a generator of the smallest template; the path of its config. `outputs` is YAML, a list. */
export const writeMinimal = (folder, events, outputs) => {
  writeFiles(folder, {
    'generator.yml': `input: [${everyMs(events)}]
event: {template: {mode: all, templates: [{event: {template: event.jinja}}]}}
output: ${outputs}
`,
    'event.jinja': TEMPLATE,
  });
  return join(folder, 'generator.yml');
};

/** The command that writes the same lines by hand to files; `-` is standard output. */
export const loopCommand = (events, ...files) =>
  nodeCommand(join(PEERS, 'lines.mjs'), ['chunk', events, TAIL, ...files]);

/** A pair case that writes to so many files. */
export const minimalToFiles = ({ folder, events, copies }) => {
  const filesOf = (name) => Array.from({ length: copies }, (_, n) => join(folder, name, `${n + 1}.log`));
  const [ours, theirs] = [filesOf('ours'), filesOf('loop')];
  const config = writeMinimal(folder, events, `[${ours.map((path) => `file: {path: ${path}}`).join(', ')}]`);
  const side = (name, command) => ({
    command: () => `mkdir -p ${join(folder, name)}; ${command}`,
    output: join(folder, name),
    files: filesOf(name),
    bytes: LINE_BYTES * events * copies,
    events,
  });
  return {
    folder,
    config,
    sides: {
      spate: side('ours', generateCommand(config)),
      loop: side('loop', loopCommand(events, ...theirs)),
    },
    verify: () => [
      ...ours.flatMap((path) => sameBytes(path, theirs[0])),
      ...theirs.flatMap((path) => sameBytes(path, theirs[0])),
    ],
  };
};
