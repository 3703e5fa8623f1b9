/** One server-sent event, or a comment (`event` is empty then). */
export interface ServerEvent {
  readonly event: string;
  readonly id: string | null;
  readonly data: string;
}

/** Parses the complete events of a stream by the rules of the HTML standard. */
export const readEvents = (text: string): readonly ServerEvent[] =>
  text
    .split('\n\n')
    .slice(0, -1)
    .map((block) => {
      const fields = new Map<string, string>();
      for (const line of block.split('\n')) {
        const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
        fields.set(name, fields.has(name) ? `${fields.get(name)}\n${value}` : value);
      }
      return {
        event: fields.get('event') ?? '',
        id: fields.get('id') ?? null,
        data: fields.get('data') ?? '',
      };
    });

/** The events of one kind, their data parsed. */
export const dataOf = <A>(events: readonly ServerEvent[], kind: string): readonly A[] =>
  events.filter(({ event }) => event === kind).map(({ data }) => JSON.parse(data) as A);

export interface EventReader {
  readonly events: () => readonly ServerEvent[];
  /** Resolves when the events pass the check; rejects when the stream ends before. */
  readonly until: (check: (events: readonly ServerEvent[]) => boolean) => Promise<readonly ServerEvent[]>;
  readonly ended: Promise<void>;
  readonly close: () => Promise<void>;
}

export const eventReader = (chunks: AsyncIterable<Uint8Array>): EventReader => {
  let text = '';
  let isOver = false;
  let look = (): void => {};
  const iterator = chunks[Symbol.asyncIterator]();
  const decoder = new TextDecoder();
  const read = async (): Promise<void> => {
    for (;;) {
      const next = await iterator.next();
      if (next.done === true) break;
      text += decoder.decode(next.value, { stream: true });
      look();
    }
    isOver = true;
    look();
  };
  const ended = read();
  const events = (): readonly ServerEvent[] => readEvents(text);
  return {
    events,
    ended,
    until: (check) =>
      new Promise((resolve, reject) => {
        look = () => {
          if (check(events())) resolve(events());
          else if (isOver) reject(new Error(`the stream ended before; it had:\n${text}`));
        };
        look();
      }),
    close: async () => {
      await iterator.return?.();
    },
  };
};
