/** Key of an event; null when it has none, or one that the server does not take. */
export type KeyOf = (event: string) => string | null;

/** What a command carries of an event: its text, or bytes of the formatter. */
export type RedisValue = string | Buffer;

/** A command and the events it carries. */
export interface RedisCommand {
  readonly args: RedisValue[];
  /** Positions in the batch. */
  readonly items: number[];
}

export interface Commands {
  readonly commands: readonly RedisCommand[];
  /** Events without a key. */
  readonly unfit: readonly number[];
}

export interface RedisCommandOptions {
  readonly mode: 'stream' | 'list' | 'pubsub';
  readonly keyOf: KeyOf;
  readonly field: string;
  readonly max_length: number | null;
  readonly push: 'right' | 'left';
}

/** Large enough to save replies, small enough not to hold up other clients of the server. */
const MAX_PUSHED = 500;

/** Head of the command for a key, and what follows for an event. */
const layoutOf = ({
  mode,
  field,
  max_length,
  push,
}: RedisCommandOptions): {
  readonly head: (key: string) => readonly string[];
  readonly body: (event: RedisValue) => readonly RedisValue[];
  readonly most: number;
} => {
  switch (mode) {
    case 'stream': {
      const limit = max_length === null ? [] : ['MAXLEN', '~', String(max_length)];
      return { head: (key) => ['XADD', key, ...limit, '*'], body: (event) => [field, event], most: 1 };
    }
    case 'list': {
      const name = push === 'right' ? 'RPUSH' : 'LPUSH';
      return { head: (key) => [name, key], body: (event) => [event], most: MAX_PUSHED };
    }
    case 'pubsub':
      return { head: (key) => ['PUBLISH', key], body: (event) => [event], most: 1 };
  }
};

/** Makes the commands of a batch, in the order of its events for each key; `values`: what they carry instead. */
export type CommandMaker = (events: readonly string[], values?: readonly RedisValue[]) => Commands;

export const commandMaker = (options: RedisCommandOptions): CommandMaker => {
  const { head, body, most } = layoutOf(options);
  return (events, values = events) => {
    const commands: RedisCommand[] = [];
    const unfit: number[] = [];
    /** Commands with room, by key. */
    const open = new Map<string, RedisCommand>();
    for (const [item, value] of values.entries()) {
      const key = options.keyOf(events[item] ?? '');
      if (key === null) {
        unfit.push(item);
        continue;
      }
      const known = most === 1 ? undefined : open.get(key);
      if (known !== undefined && known.items.length < most) {
        known.args.push(...body(value));
        known.items.push(item);
        continue;
      }
      const command = { args: [...head(key), ...body(value)], items: [item] };
      commands.push(command);
      if (most > 1) open.set(key, command);
    }
    return { commands, unfit };
  };
};
