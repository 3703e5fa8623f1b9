import type { JsonObject } from '../../src/domain/json.js';
import {
  type CheckOptions,
  type CheckResult,
  inspectTemplates,
  type TemplateFinding,
} from '../../src/template/index.js';

export type Files = Readonly<Record<string, string>>;

interface Asked {
  /** Templates of events; default `main`. */
  readonly events?: readonly string[];
  readonly formatters?: readonly string[];
  /** Files without a config. */
  readonly alone?: readonly string[];
  readonly vars?: JsonObject;
  readonly params?: JsonObject | null;
  readonly samples?: readonly string[];
}

const SAMPLES_PATH = ['event', 'template', 'samples'];

export const optionsOf = (files: Files, asked: Asked = {}): CheckOptions => {
  const { formatters = [], alone = [], vars = {}, params = null, samples } = asked;
  const events = asked.events ?? (formatters.length + alone.length === 0 ? ['main'] : []);
  return {
    roots: [
      ...events.map((name, index) => ({
        name,
        text: null,
        renderer: 'event' as const,
        vars,
        path: ['event', 'template', 'templates', index, name, 'template'],
      })),
      ...formatters.map((name) => ({
        name,
        text: null,
        renderer: 'formatter' as const,
        vars: null,
        path: [],
      })),
      ...alone.map((name) => ({ name, text: null, renderer: 'anyone' as const, vars: null, path: null })),
    ],
    load: (name) => (Object.hasOwn(files, name) ? (files[name] ?? null) : null),
    params,
    samples: samples === undefined ? null : { names: samples, path: SAMPLES_PATH, areUsersKnown: true },
  };
};

export const inspected = (given: string | Files, asked: Asked = {}): CheckResult =>
  inspectTemplates(optionsOf(typeof given === 'string' ? { main: given } : given, asked));

/** A finding in one line: `main:1:4 error unknown_name: sentence. Hint.` */
export const line = ({ severity, code, message, hint, location, path }: TemplateFinding): string => {
  const where =
    location === null ? (path ?? []).join('.') : `${location.template}:${location.line}:${location.column}`;
  return `${where} ${severity} ${code}: ${message}${hint === null ? '' : ` | ${hint}`}`;
};

export const found = (given: string | Files, asked: Asked = {}): readonly string[] =>
  inspected(given, asked).findings.map(line);
