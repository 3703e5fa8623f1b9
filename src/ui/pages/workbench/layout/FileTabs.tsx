import './layout.css';
import { ActionIcon, Tooltip } from '@mantine/core';
import { PanelLeftClose, PanelLeftOpen, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { isInside } from '../paths.js';
import {
  movedTabs,
  neighborOf,
  readTabs,
  tabNames,
  tabOfKey,
  withoutTabs,
  withTab,
  writeTabs,
} from './tabs.js';

/** Ids of a tab and of its panel. Paths may hold any character, and ids no spaces. */
export const tabIds = (path: string): { readonly tab: string; readonly panel: string } => {
  const id = encodeURIComponent(path);
  return { tab: `tab-${id}`, panel: `panel-${id}` };
};

/** Editors that stay behind the shown one, with their undo history and place. */
const MAX_MOUNTED = 6;

interface OpenTabs {
  readonly tabs: readonly string[];
  /** Files whose editor is there: the shown one and those shown last. */
  readonly mounted: readonly string[];
  /** Closes a file, or those below a folder. Returns the file to show then; null for none. */
  readonly close: (path: string) => string | null;
  readonly move: (from: string, to: string) => void;
}

/** The open files of a directory, remembered by this tab of the browser. The shown one is always among them. */
export const useOpenTabs = (name: string, shown: string, paths: readonly string[]): OpenTabs => {
  const [known, setKnown] = useState((): readonly string[] =>
    readTabs(sessionStorage, name).filter((path) => paths.includes(path)),
  );
  const recent = useRef<readonly string[]>([]);
  const tabs = withTab(known, shown);
  recent.current = [shown, ...recent.current.filter((path) => path !== shown && tabs.includes(path))].slice(
    0,
    MAX_MOUNTED,
  );
  const mounted = tabs.filter((path) => recent.current.includes(path));
  useEffect(() => {
    if (tabs !== known) setKnown(tabs);
    writeTabs(sessionStorage, name, tabs);
  }, [name, known, tabs]);
  return {
    tabs,
    mounted,
    close: (path) => {
      const left = withoutTabs(tabs, path);
      setKnown(left);
      if (!isInside(shown, path)) return shown;
      return path === shown ? neighborOf(tabs, path) : (left.at(-1) ?? null);
    },
    move: (from, to) => setKnown(movedTabs(tabs, from, to)),
  };
};

interface FileTabsProps {
  readonly tabs: readonly string[];
  readonly shown: string;
  readonly unsaved: ReadonlySet<string>;
  readonly onShow: (path: string) => void;
  readonly onClose: (path: string) => void;
}

/** The open files. A tab is closed by its mark, a middle click, or the key Delete; the last one stays. */
export const FileTabs = ({ tabs, shown, unsaved, onShow, onClose }: FileTabsProps) => {
  const list = useRef<HTMLDivElement>(null);
  const names = tabNames(tabs);
  const canClose = tabs.length > 1;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another file is shown
  useEffect(() => {
    list.current
      ?.querySelector('[aria-selected=true]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [shown]);

  /** The next tab is drawn after the next answer of React. */
  const focusLater = (): void => {
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus());
  };

  const onKey = (event: KeyboardEvent, path: string): void => {
    const next = tabOfKey(tabs, path, event.key);
    if (next === null && event.key !== 'Delete') return;
    event.preventDefault();
    if (next !== null) onShow(next);
    else if (canClose) onClose(path);
    focusLater();
  };

  return (
    <div ref={list} className="file-tabs" role="tablist" aria-label="Open files">
      {tabs.map((path) => {
        const isShown = path === shown;
        return (
          <button
            key={path}
            type="button"
            role="tab"
            id={tabIds(path).tab}
            className="file-tab"
            title={canClose ? `${path} (Delete or middle click closes it)` : path}
            aria-selected={isShown}
            aria-controls={isShown ? tabIds(path).panel : undefined}
            tabIndex={isShown ? 0 : -1}
            onClick={() => onShow(path)}
            onKeyDown={(event) => onKey(event, path)}
            // The middle button would scroll the page.
            onMouseDown={(event) => event.button === 1 && event.preventDefault()}
            onAuxClick={(event) => event.button === 1 && canClose && onClose(path)}
          >
            <span>{names.get(path)}</span>
            {unsaved.has(path) && (
              <span className="unsaved" role="img" aria-label="unsaved">
                ●
              </span>
            )}
            {canClose && (
              // A tab has no controls inside: for keyboards and screen readers it is the key Delete.
              <span
                aria-hidden
                className="file-tab-close"
                onClick={(event) => {
                  event.stopPropagation();
                  onClose(path);
                }}
              >
                <X size={12} />
              </span>
            )}
          </button>
        );
      })}
    </div>
  );
};

/** Hides and shows the files beside the editor. */
export const TreeToggle = ({
  isHidden,
  onToggle,
}: {
  readonly isHidden: boolean;
  readonly onToggle: () => void;
}) => {
  const label = isHidden ? 'Show the files' : 'Hide the files';
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        aria-expanded={!isHidden}
        onClick={onToggle}
      >
        {isHidden ? <PanelLeftOpen size={16} /> : <PanelLeftClose size={16} />}
      </ActionIcon>
    </Tooltip>
  );
};
