import type { RunCommand } from '../../../../ports/processes.js';
import {
  HostModule,
  iterate,
  native,
  offTheClock,
  PyDict,
  PyFloat,
  raise,
  TemplateObject,
  typeName,
  type Value,
} from '../../../../template/index.js';

/** Seconds. A command blocks its thread; a thread silent for 10 s counts as hung. */
const MAX_TIMEOUT_S = 8;

class CommandResult extends TemplateObject {
  constructor(private readonly values: ReadonlyMap<string, Value>) {
    super();
  }
  get typeName(): string {
    return 'SubprocessResult';
  }
  override attribute(name: string): Value | undefined {
    return this.values.get(name);
  }
}

const textOrNone = (value: Value, name: string): string | null =>
  value === null || typeof value === 'string'
    ? value
    : raise('TypeError', `run() takes ${name} as a string, not ${typeName(value)}`);

const environmentOf = (value: Value): Readonly<Record<string, string>> | null => {
  if (value === null) return null;
  if (!(value instanceof PyDict))
    return raise('TypeError', `run() takes env as an object, not ${typeName(value)}`);
  return Object.fromEntries(
    [...iterate(value)].map((key): [string, string] => {
      const text = value.get(key);
      return typeof key === 'string' && typeof text === 'string'
        ? [key, text]
        : raise('TypeError', 'run() takes env as an object of strings');
    }),
  );
};

const timeoutOf = (value: Value): number => {
  if (value === null) return MAX_TIMEOUT_S * 1000;
  const seconds = value instanceof PyFloat ? value.value : value;
  return typeof seconds === 'number' && seconds > 0 && seconds <= MAX_TIMEOUT_S
    ? Math.ceil(seconds * 1000)
    : raise(
        'ValueError',
        `run() takes a timeout in seconds above 0 and up to ${MAX_TIMEOUT_S}: it blocks all generators of its thread`,
      );
};

const REFUSED =
  'subprocess is disabled: set generation.allow_subprocess in the settings or run spate generate --allow-subprocess';

/** Without `runCommand` every call fails. */
export const subprocessModule = (runCommand: RunCommand | null): HostModule =>
  new HostModule('subprocess', {
    run: native(
      'run(command, cwd=None, env=None, timeout=None)',
      (command = null, cwd = null, env = null, timeout = null) => {
        if (runCommand === null) return raise('PermissionError', REFUSED);
        const text = textOrNone(command, 'command');
        if (text === null || text.includes('\0'))
          return raise('TypeError', 'run() takes a command as a string without NUL');
        const timeout_ms = timeoutOf(timeout);
        const options = { cwd: textOrNone(cwd, 'cwd'), env: environmentOf(env), timeout_ms };
        const result = offTheClock(() => runCommand(text, options));
        if ('problem' in result) return raise('OSError', `cannot run the command: ${result.problem}`);
        if (result.isTimedOut)
          return raise('TimeoutExpired', `the command exceeded ${timeout_ms / 1000} seconds`);
        const { stdout, stderr, exit_code } = result;
        return new CommandResult(new Map<string, Value>(Object.entries({ stdout, stderr, exit_code })));
      },
    ),
  });
