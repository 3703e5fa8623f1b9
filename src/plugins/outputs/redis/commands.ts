/** Key of an event; `null`: the event lacks a value. */
export type KeyOf = (event: string) => string | null;

/** A command and the events it carries. */
export interface Command {
  readonly args: string[];
  /** Positions in the batch. */
  readonly items: number[];
}

export interface Commands {
  readonly commands: readonly Command[];
  /** Events without a key. */
  readonly unfit: readonly number[];
}

export interface CommandOptions {
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
}: CommandOptions): {
  readonly head: (key: string) => readonly string[];
  readonly body: (event: string) => readonly string[];
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

/** Makes the commands of a batch, in the order of its events for each key. */
export const commandMaker = (options: CommandOptions): ((events: readonly string[]) => Commands) => {
  const { head, body, most } = layoutOf(options);
  return (events) => {
    const commands: Command[] = [];
    const unfit: number[] = [];
    /** Commands with room, by key. */
    const open = new Map<string, Command>();
    for (const [item, event] of events.entries()) {
      const key = options.keyOf(event);
      if (key === null) {
        unfit.push(item);
        continue;
      }
      const known = most === 1 ? undefined : open.get(key);
      if (known !== undefined && known.items.length < most) {
        known.args.push(...body(event));
        known.items.push(item);
        continue;
      }
      const command = { args: [...head(key), ...body(event)], items: [item] };
      commands.push(command);
      if (most > 1) open.set(key, command);
    }
    return { commands, unfit };
  };
};
