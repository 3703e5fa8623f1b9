import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useDisclosure, useHotkeys, useLocalStorage, useOs } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { afterVisit } from './palette/items.js';
import type { PalettePlace } from './palette/PaletteDialog.js';

const load = () => import('./palette/PaletteDialog.js');
const PaletteDialog = lazy(load);

/** After the page: what is typed while the palette loads would be lost. */
const LOAD_AFTER_MS = 2_000;

const LABEL = 'Commands';

/** The button and the key of the command palette; the palette loads a moment after the page. */
export const Palette = ({ places }: { readonly places: readonly PalettePlace[] }) => {
  const [isOpen, dialog] = useDisclosure(false);
  const [isWanted, setWanted] = useState(false);
  const isMac = useOs() === 'macos';
  useEffect(() => {
    // One that fails is tried again when the palette opens.
    const timer = setTimeout(() => void load().catch(() => {}), LOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const recent = useRecent();
  const open = (): void => {
    setWanted(true);
    dialog.open();
  };
  // Also while the focus is in a field or an editor.
  useHotkeys([['mod+K', open]], [], true);
  return (
    <>
      <Button
        variant="default"
        size="compact-md"
        fw={400}
        leftSection={<Search size={16} />}
        rightSection={<Kbd size="xs">{isMac ? '⌘ K' : 'Ctrl K'}</Kbd>}
        onClick={open}
        visibleFrom="sm"
      >
        {LABEL}
      </Button>
      <ActionIcon variant="default" size="lg" aria-label={LABEL} onClick={open} hiddenFrom="sm">
        <Search size={18} />
      </ActionIcon>
      {isWanted && (
        <Suspense>
          <PaletteDialog places={places} recent={recent} isOpen={isOpen} onClose={dialog.close} />
        </Suspense>
      )}
    </>
  );
};

/** Paths of the last pages of this browser, the newest first. */
const useRecent = (): readonly string[] => {
  const [path] = useLocation();
  const [recent, setRecent] = useLocalStorage<readonly string[]>({ key: 'recent pages', defaultValue: [] });
  useEffect(() => setRecent((former) => afterVisit(former, path)), [path, setRecent]);
  return recent;
};
