import type { JsonObject } from '../../../domain/json.js';
import { type NewDestination, type OutputChoice, outputOf, secretOf } from './outputs.js';

/** A generator that is not stored yet. */
export interface NewDraft {
  readonly name: string;
  readonly config: JsonObject;
  /** Files beside the config, by path. */
  readonly files: readonly { readonly path: string; readonly content: string | Blob }[];
  readonly secrets: readonly { readonly name: string; readonly value: string }[];
  /** A destination that is stored before. Null for none. */
  readonly destination: NewDestination | null;
  /** Time zone that the generator needs. Null for that of the settings. */
  readonly timezone: string | null;
}

const secretsOf = (output: OutputChoice, name: string): NewDraft['secrets'] =>
  output.kind === 'clickhouse' && output.password !== ''
    ? [{ name: secretOf(name), value: output.password }]
    : [];

const destinationOf = ({ kind, created }: OutputChoice): NewDestination | null =>
  kind === 'new' ? created : null;

export type TimingChoice = 'even' | 'poisson' | 'daily';

/** The shortest interval of a timer of even timestamps is the one of a rate. */
const inputOf = (events_per_second: number, timing: TimingChoice): JsonObject => ({
  rate: {
    events_per_second,
    ...(timing === 'even' ? {} : { arrivals: 'poisson' }),
    ...(timing === 'daily' ? { shape: 'daily' } : {}),
  },
});

export type EventChoice = 'template' | 'script';

const TEMPLATE = `{#- One render is one event. Random values depend on the seed of the generator. -#}
{%- set action = module.rand.choice(['login', 'view', 'buy', 'logout']) -%}
{"time": "{{ timestamp.strftime('%Y-%m-%d %H:%M:%S.%L') }}", "level": "{{ 'error' if module.rand.number.integer(1, 20) == 1 else 'info' }}", "service": "shop", "user": "user-{{ module.rand.number.integer(1, 100) }}", "action": "{{ action }}", "duration_ms": {{ module.rand.number.integer(1, 400) }}}
`;

const SCRIPT = `/**
 * Called for each timestamp; returns an event or a list of events.
 * Use \`random\` instead of Math.random: it depends on the seed, so runs can be repeated.
 */
export const produce = ({ timestamp, random }) =>
  JSON.stringify({
    time: timestamp.strftime('%Y-%m-%d %H:%M:%S.%L'),
    level: random.integer(1, 20) === 1 ? 'error' : 'info',
    service: 'shop',
    user: \`user-\${random.integer(1, 100)}\`,
    action: ['login', 'view', 'buy', 'logout'][random.integer(0, 3)],
    duration_ms: random.integer(1, 400),
  });
`;

const EVENTS: Readonly<Record<EventChoice, Pick<NewDraft, 'files'> & { readonly event: JsonObject }>> = {
  template: {
    event: { template: { mode: 'all', templates: [{ event: { template: 'event.jinja' } }] } },
    files: [{ path: 'event.jinja', content: TEMPLATE }],
  },
  script: {
    event: { script: { path: 'produce.js' } },
    files: [{ path: 'produce.js', content: SCRIPT }],
  },
};

export interface EmptyChoice {
  readonly name: string;
  readonly events_per_second: number;
  readonly timing: TimingChoice;
  readonly event: EventChoice;
  readonly output: OutputChoice;
}

/** A small generator that runs unchanged. */
export const emptyDraft = ({ name, events_per_second, timing, event, output }: EmptyChoice): NewDraft => ({
  name,
  config: {
    input: [inputOf(events_per_second, timing)],
    event: EVENTS[event].event,
    output: [outputOf(output, name, 'events')],
  },
  files: EVENTS[event].files,
  secrets: secretsOf(output, name),
  destination: destinationOf(output),
  timezone: null,
});

export interface LogChoice {
  readonly name: string;
  readonly events_per_second: number;
  readonly timing: TimingChoice;
  readonly repeat: boolean;
  readonly file: { readonly name: string; readonly content: string | Blob };
  /** Where lines have their time and how it is written. Null when lines stay as they are. */
  readonly times: { readonly pattern: string; readonly format: string } | null;
  readonly output: OutputChoice;
}

/** A literal `Z` says UTC, whatever the zone of the generator is. */
export const needsUtc = (format: string): boolean => /[SfL0]Z$/.test(format);

/** A generator that replays a log. */
export const logDraft = ({ name, file, times, repeat, output, ...input }: LogChoice): NewDraft => ({
  name,
  config: {
    input: [inputOf(input.events_per_second, input.timing)],
    event: {
      replay: {
        path: file.name,
        ...(times === null ? {} : { timestamp_pattern: times.pattern, timestamp_format: times.format }),
        ...(repeat ? { repeat: true } : {}),
      },
    },
    output: [outputOf(output, name, 'lines')],
  },
  files: [{ path: file.name, content: file.content }],
  secrets: secretsOf(output, name),
  destination: destinationOf(output),
  timezone: times !== null && needsUtc(times.format) ? 'UTC' : null,
});

/** A name for a file of the generator directory: no folders, nothing that hides it. */
export const fileNameOf = (name: string): string => {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const clean = [...last]
    .filter((one) => one >= ' ' && one !== '\u007f')
    .join('')
    .replace(/^\.+/, '');
  return clean === '' || clean === 'generator.yml' ? 'replayed.log' : clean.slice(0, 120);
};
