import './stream.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Scroller } from '../Section.js';
import { forgetGone, type Numbered } from './numbered.js';

interface StreamListProps<A> {
  /** Newest first. */
  readonly lines: readonly Numbered<A>[];
  readonly label: string;
  readonly row: (line: Numbered<A>) => ReactNode;
  /** Most pixels of its height; 420 by default. */
  readonly height?: number;
}

/** Pixels of a line before it is measured. */
const LINE_HEIGHT = 30;

/** Lines that arrive at the top. Whoever has scrolled down keeps their place. */
export const StreamList = <A,>({ lines, label, row, height }: StreamListProps<A>) => {
  const viewport = useRef<HTMLElement>(null);
  const formerSize = useRef(0);
  const list = useVirtualizer({
    count: lines.length,
    getScrollElement: () => viewport.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 10,
    getItemKey: (index) => lines[index]?.number ?? index,
  });
  const size = list.getTotalSize();
  const newest = lines[0]?.number;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new lines move the place
  useLayoutEffect(() => {
    // Its own `scrollTop` would lay the page out for each piece of news.
    const at = list.scrollOffset ?? 0;
    if (viewport.current !== null && at > LINE_HEIGHT)
      viewport.current.scrollTop = at + size - formerSize.current;
    formerSize.current = size;
    forgetGone(list.itemSizeCache, lines);
  }, [newest]);
  return (
    <Scroller ref={viewport} className="stream" label={label} {...(height === undefined ? {} : { height })}>
      <ol style={{ height: size }}>
        {list.getVirtualItems().map(({ index, key, start }) => {
          const line = lines[index];
          return line === undefined ? null : (
            <li
              key={key}
              data-index={index}
              ref={list.measureElement}
              style={{ transform: `translateY(${start}px)` }}
            >
              {row(line)}
            </li>
          );
        })}
      </ol>
    </Scroller>
  );
};
