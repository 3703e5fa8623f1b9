import { escapeHtml } from '../../domain/text/shown.js';
import { visible } from '../show.js';

/** Foreign text, in which invisible characters become visible. */
export const visibleHtml = (text: string): string => escapeHtml(visible(text));

/** A text of ours: a number and its percent sign stay on one line. */
export const phraseHtml = (text: string): string => visibleHtml(text).replace(/(\d) %/g, '$1&nbsp;%');
