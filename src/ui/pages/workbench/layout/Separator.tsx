import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import {
  PANES,
  type Pane,
  type PaneSizes,
  readPanes,
  resized,
  sizeOfDrag,
  sizeOfKey,
  writePanes,
} from './panes.js';

interface Panes {
  readonly sizes: PaneSizes;
  readonly resize: (pane: Pane, size: number) => void;
  readonly hideTree: (isHidden: boolean) => void;
}

/** Sizes of the panes, remembered by the browser. */
export const usePanes = (): Panes => {
  const [sizes, setSizes] = useState(() => readPanes(localStorage));
  useEffect(() => writePanes(localStorage, sizes), [sizes]);
  return {
    sizes,
    resize: (pane, size) => setSizes((former) => resized(former, pane, size)),
    hideTree: (isTreeHidden) => setSizes((former) => ({ ...former, isTreeHidden })),
  };
};

interface SeparatorProps {
  readonly pane: Pane;
  readonly label: string;
  readonly size: number;
  /** The grid of panes. */
  readonly grid: RefObject<HTMLElement | null>;
  readonly onResize: (size: number) => void;
  readonly onHide?: () => void;
}

/** Room of a grid that editor and preview share, in pixels. */
const sharedRoom = (grid: HTMLElement | null): number => {
  const panes = [...(grid?.querySelectorAll<HTMLElement>(':scope > .shared-pane') ?? [])];
  return panes.reduce((sum, pane) => sum + pane.getBoundingClientRect().width, 0);
};

/** Changes the size of a pane: by dragging, by the arrow keys, Home and End; a double click resets it. */
export const Separator = ({ pane, label, size, grid, onResize, onHide }: SeparatorProps) => {
  const drag = useRef<{ readonly x: number; readonly size: number; readonly room: number } | null>(null);
  const { min, max, start } = PANES[pane];
  const begin = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, size, room: sharedRoom(grid.current) };
  };
  const move = (event: PointerEvent): void => {
    const from = drag.current;
    if (from !== null) onResize(sizeOfDrag(pane, from.size, event.clientX - from.x, from.room));
  };
  const end = (): void => {
    drag.current = null;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule of HTML takes no focus
    <div
      className="separator"
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuetext={pane === 'tree' ? `${size} pixels` : `${size} percent`}
      tabIndex={0}
      title="Drag it, or use the arrow keys; a double click resets it"
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={() => onResize(start)}
      onKeyDown={(event) => {
        const next = sizeOfKey(pane, size, event.key);
        if (next !== null) onResize(next);
        else if (event.key === 'Enter' && onHide !== undefined) onHide();
        else return;
        event.preventDefault();
      }}
    />
  );
};
