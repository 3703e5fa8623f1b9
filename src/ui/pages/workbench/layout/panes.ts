import type { LayoutStorage } from './tabs.js';

/** The columns of the workbench. */
export interface PaneSizes {
  /** Width of the files in pixels. */
  readonly tree: number;
  /** Share of the editor of what the files leave, in percent; the rest is of the preview. */
  readonly editor: number;
  readonly isTreeHidden: boolean;
}

export type Pane = 'tree' | 'editor';

/** Bounds, steps of the arrow keys, and where a double click leads. */
export const PANES: Readonly<
  Record<Pane, { readonly min: number; readonly max: number; readonly step: number; readonly start: number }>
> = {
  tree: { min: 140, max: 520, step: 16, start: 208 },
  editor: { min: 20, max: 80, step: 2, start: 55 },
};

export const START_SIZES: PaneSizes = {
  tree: PANES.tree.start,
  editor: PANES.editor.start,
  isTreeHidden: false,
};

const KEY = 'spate:panes';

const bounded = (pane: Pane, size: number): number =>
  Math.round(Math.min(PANES[pane].max, Math.max(PANES[pane].min, size)));

export const resized = (sizes: PaneSizes, pane: Pane, size: number): PaneSizes => ({
  ...sizes,
  [pane]: bounded(pane, size),
});

/** The size that a key of a separator leads to. Null for other keys. */
export const sizeOfKey = (pane: Pane, size: number, key: string): number | null => {
  const { min, max, step } = PANES[pane];
  switch (key) {
    case 'ArrowLeft':
      return bounded(pane, size - step);
    case 'ArrowRight':
      return bounded(pane, size + step);
    case 'Home':
      return min;
    case 'End':
      return max;
    default:
      return null;
  }
};

/** The size that dragging by some pixels leads to; `room`: pixels that editor and preview share. */
export const sizeOfDrag = (pane: Pane, from: number, by_px: number, room: number): number =>
  bounded(pane, from + (pane === 'tree' ? by_px : (100 * by_px) / Math.max(1, room)));

const numberIn = (value: object, pane: Pane): number => {
  const size: unknown = Reflect.get(value, pane);
  return typeof size === 'number' && Number.isFinite(size) ? bounded(pane, size) : PANES[pane].start;
};

export const readPanes = (storage: LayoutStorage): PaneSizes => {
  try {
    const value: unknown = JSON.parse(storage.getItem(KEY) ?? 'null');
    if (typeof value !== 'object' || value === null) return START_SIZES;
    const isTreeHidden = Reflect.get(value, 'isTreeHidden') === true;
    return { tree: numberIn(value, 'tree'), editor: numberIn(value, 'editor'), isTreeHidden };
  } catch {
    return START_SIZES;
  }
};

export const writePanes = (storage: LayoutStorage, sizes: PaneSizes): void => {
  try {
    storage.setItem(KEY, JSON.stringify(sizes));
  } catch {
    // A full storage forgets widths.
  }
};
