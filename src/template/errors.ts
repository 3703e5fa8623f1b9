/** A template exception, named as in Python or Jinja. Thrown inside the engine; `render` returns it. */
export class Fault extends Error {
  constructor(
    /** Exception class, e.g. `TypeError`, `UndefinedError`, `LimitError`. */
    readonly kind: string,
    message: string,
  ) {
    super(message);
  }
}

export const raise = (kind: string, message: string): never => {
  throw new Fault(kind, message);
};
/** Ends a render on behalf of the host, such as `dispatch.drop()`. Reused objects: none needs its stack trace. */
export class Signal extends Error {}

/** Position of an error. `source`: the normalized text. */
interface TemplatePosition {
  readonly template: { readonly name: string; readonly source: string };
  readonly at: number;
}

const MAX_POSITIONS = 8;

const positions = new WeakMap<Fault, TemplatePosition[]>();

/** Innermost first. */
export const positionsOf = (fault: Fault): readonly TemplatePosition[] => positions.get(fault) ?? [];

/** Converts JavaScript engine errors that templates can cause. */
const asFault = (thrown: unknown): unknown => {
  if (!(thrown instanceof RangeError)) return thrown;
  if (thrown.message.includes('call stack'))
    return new Fault('RecursionError', 'maximum recursion depth exceeded');
  return new Fault('LimitError', `a value became too large (${thrown.message})`);
};

/** Adds a position to a fault on its way out. Other exceptions (host signals, bugs) pass unchanged. */
export const located = (thrown: unknown, template: TemplatePosition['template'], at: number): unknown => {
  const fault = asFault(thrown);
  if (!(fault instanceof Fault)) return fault;
  const outer = positions.get(fault) ?? [];
  if (outer.length < MAX_POSITIONS) positions.set(fault, [...outer, { template, at }]);
  return fault;
};

/** Position of an error. Line and column start at 1. */
export interface ErrorLocation {
  readonly template: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** A template error. `kind` is the exception name in Python or Jinja; the innermost position comes first. */
export interface TemplateError {
  readonly kind: string;
  /** Message without the position. */
  readonly reason: string;
  readonly locations: readonly ErrorLocation[];
  /** `template.jinja:3:7: UndefinedError: 'x' is undefined`, then the line with a mark under the column. */
  readonly message: string;
}

const MAX_SHOWN = 120;

const locationOf = ({ template, at }: TemplatePosition): ErrorLocation => {
  const before = template.source.slice(0, at);
  const start = before.lastIndexOf('\n') + 1;
  const end = template.source.indexOf('\n', at);
  return {
    template: template.name,
    line: before.split('\n').length,
    column: at - start + 1,
    text: template.source.slice(start, end < 0 ? undefined : end),
  };
};

const shown = ({ text, column }: ErrorLocation): string => {
  const from = column > MAX_SHOWN ? column - MAX_SHOWN / 2 : 0;
  const part = text.slice(from, from + MAX_SHOWN);
  const blanks = part.slice(0, column - 1 - from).replace(/[^\t]/g, ' ');
  return `\n    ${part}\n    ${blanks}^`;
};

const firstUpTo = (reason: string): string => (reason.length > 500 ? `${reason.slice(0, 500)}...` : reason);

export const templateError = (fault: Fault, locations: readonly TemplatePosition[]): TemplateError => {
  const all = locations.map(locationOf);
  const [first, ...outer] = all;
  const reason = firstUpTo(fault.message);
  const what = `${fault.kind}: ${reason}`;
  const trace = outer.map(({ template, line, column }) => `\n  from ${template}:${line}:${column}`).join('');
  const message =
    first === undefined
      ? what
      : `${first.template}:${first.line}:${first.column}: ${what}${shown(first)}${trace}`;
  return { kind: fault.kind, reason, locations: all, message };
};

export const syntaxError = (kind: string, reason: string, template: string): TemplateError => ({
  kind,
  reason,
  locations: [],
  message: `${template}: ${kind}: ${reason}`,
});
