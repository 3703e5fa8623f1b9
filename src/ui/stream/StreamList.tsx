import './stream.css';
import { ScrollArea } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { Numbered } from './numbered.js';

interface StreamListProps<A> {
  /** Newest first. */
  readonly lines: readonly Numbered<A>[];
  readonly label: string;
  readonly row: (line: Numbered<A>) => ReactNode;
  /** Most pixels of its height. */
  readonly height?: number;
}

/** Pixels of a line before it is measured. */
const LINE_HEIGHT = 30;
const HEIGHT = 420;

/** Lines that arrive at the top. Whoever has scrolled down keeps their place. */
export const StreamList = <A,>({ lines, label, row, height = HEIGHT }: StreamListProps<A>) => {
  const viewport = useRef<HTMLDivElement>(null);
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
    const element = viewport.current;
    if (element !== null && element.scrollTop > LINE_HEIGHT) element.scrollTop += size - formerSize.current;
    formerSize.current = size;
  }, [newest]);
  return (
    <ScrollArea.Autosize
      mah={height}
      viewportRef={viewport}
      className="stream"
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}
    >
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
    </ScrollArea.Autosize>
  );
};
