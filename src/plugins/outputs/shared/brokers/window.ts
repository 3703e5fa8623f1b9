/** Items on their way to a broker, limited over all writes of an output. */
export interface Window {
  /** Takes a place; false: the window is full. */
  readonly take: () => boolean;
  readonly give: (places: number) => void;
  /** Resolves when a part of the window is free. */
  readonly room: () => Promise<void>;
}

/** Waiting writes wake when this share is free: fewer turns of the event loop. */
const FREE_SHARE = 0.25;
/** Smaller windows wake for each place: a pause would make both sides wait for delayed TCP acknowledgements. */
const SMALL = 256;

export const makeWindow = (size: number): Window => {
  let free = size;
  const wanted = size <= SMALL ? 1 : Math.floor(size * FREE_SHARE);
  let waiting: (() => void)[] = [];
  return {
    take: () => {
      if (free === 0) return false;
      free -= 1;
      return true;
    },
    give: (places) => {
      free += places;
      if (free < wanted || waiting.length === 0) return;
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
    room: () =>
      free >= wanted
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push(resolve);
          }),
  };
};
