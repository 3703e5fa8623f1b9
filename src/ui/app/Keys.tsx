import { Kbd, Modal, Table } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { KEYS } from './keyTable.js';

/** A page that two letters lead to. */
export interface KeyPlace {
  readonly href: string;
  readonly label: string;
  /** After `g`. */
  readonly letter: string;
}

/** The second letter must follow within this time. */
const PAIR_MS = 1_500;

const FIELDS = 'input, textarea, select, [contenteditable=true], [role=textbox]';
const SEARCHES = 'main input[aria-label^="Filter"], main input[aria-label^="Search"]';

/** Keys are not taken from somebody who types, nor from a dialog. */
const isTaken = (event: KeyboardEvent): boolean => {
  const { target, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey || event.defaultPrevented) return true;
  if (document.querySelector('[role=dialog]') !== null) return true;
  if (!(target instanceof Element) || target.matches('input[type=checkbox]')) return false;
  return target.closest(FIELDS) !== null;
};

const isVisible = (element: HTMLElement): boolean => element.getClientRects().length > 0;

const focusSearch = (): boolean => {
  const field = [...document.querySelectorAll<HTMLElement>(SEARCHES)].find(isVisible);
  field?.focus();
  return field !== undefined;
};

const rowOf = (element: Element | null): HTMLElement | null =>
  element?.closest<HTMLElement>('main tbody tr') ?? null;

/** The focus goes to the link of a row, or to whatever takes it there. */
const step = (by: 1 | -1): boolean => {
  const rows = [...document.querySelectorAll<HTMLElement>('main tbody tr')].filter(isVisible);
  const here = rowOf(document.activeElement);
  const next = here === null ? rows[0] : rows[rows.indexOf(here) + by];
  const target = next?.querySelector<HTMLElement>('a, button, input');
  target?.focus();
  return target != null;
};

/** Clicks the box of the row; with `isRange` as a click with Shift does. */
const choose = (isRange: boolean): boolean => {
  const box = rowOf(document.activeElement)?.querySelector<HTMLElement>('input[type=checkbox]');
  box?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: isRange }));
  return box != null;
};

/** Keys of every page: `?` shows them. */
export const Keys = ({ places }: { readonly places: readonly KeyPlace[] }) => {
  const [, go] = useLocation();
  const [isOpen, dialog] = useDisclosure(false);
  // Pages draw themselves again between two letters.
  const pairUntil = useRef(0);
  useEffect(() => {
    const does = (key: string): boolean => {
      const place =
        performance.now() < pairUntil.current ? places.find(({ letter }) => letter === key) : undefined;
      pairUntil.current = 0;
      if (place !== undefined) {
        go(place.href);
        return true;
      }
      if (key === 'g') pairUntil.current = performance.now() + PAIR_MS;
      if (key === '?') dialog.open();
      if (key === '/') return focusSearch();
      if (key === 'j' || key === 'k') return step(key === 'j' ? 1 : -1);
      if (key === 'x' || key === 'X') return choose(key === 'X');
      return key === '?';
    };
    const onKey = (event: KeyboardEvent): void => {
      if (!isTaken(event) && does(event.key)) event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [places, go, dialog]);
  return (
    <Modal opened={isOpen} onClose={dialog.close} title="Keys" centered>
      <Table>
        <Table.Tbody>
          {KEYS.map(({ keys, effect }) => (
            <Table.Tr key={keys}>
              <Table.Th scope="row">
                {keys.split(', ').map((one) => (
                  <Kbd key={one} me={4}>
                    {one}
                  </Kbd>
                ))}
              </Table.Th>
              <Table.Td>{effect}</Table.Td>
            </Table.Tr>
          ))}
          {places.map(({ href, label, letter }) => (
            <Table.Tr key={href}>
              <Table.Th scope="row">
                <Kbd>g</Kbd> <Kbd>{letter}</Kbd>
              </Table.Th>
              <Table.Td>{label}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
};
