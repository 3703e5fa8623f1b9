import { visible } from '../show.js';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for an element or a quoted attribute; invisible characters become visible. */
export const escapeHtml = (text: string): string =>
  visible(text).replace(/[&<>"']/g, (character) => ESCAPES[character] as string);

/** A text of ours: a number and its percent sign stay on one line. */
export const phraseHtml = (text: string): string => escapeHtml(text).replace(/(\d) %/g, '$1&nbsp;%');
