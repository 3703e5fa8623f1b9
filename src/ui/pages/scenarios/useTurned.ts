import { useEffect, useRef, useState } from 'react';

/** Time between two patches while a control moves. */
const PAUSE_MS = 150;

interface Turned<A> {
  /** The control's value, or that of the service if nobody turns it. */
  readonly shown: A;
  readonly turn: (value: A) => void;
}

/** A control whose values are sent at most every `PAUSE_MS`. A failed one gives way to the value of the service. */
export const useTurned = <A>(value: A, send: (value: A) => Promise<void>): Turned<A> => {
  const [draft, setDraft] = useState<{ readonly value: A } | null>(null);
  const waiting = useRef<{ readonly value: A } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const sender = useRef(send);
  sender.current = send;

  const flush = useRef((): void => {
    const next = waiting.current;
    timer.current = null;
    waiting.current = null;
    if (next === null) return;
    const settle = (): void => setDraft((now) => (now === next ? null : now));
    void sender.current(next.value).then(settle, settle);
  });
  // What was turned last is sent when the page closes.
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      flush.current();
    },
    [],
  );
  const turn = (next: A): void => {
    const turned = { value: next };
    waiting.current = turned;
    setDraft(turned);
    timer.current ??= setTimeout(flush.current, PAUSE_MS);
  };
  return { shown: draft === null ? value : draft.value, turn };
};
