import { encodingOf } from '../../../domain/text/encodings.js';
import type { TakesBytes } from '../../kit.js';

/** For `encoding` of an output that sends bytes of a formatter unchanged in UTF-8 only. */
export const utf8Only = ({ encoding }: Readonly<Record<string, unknown>>): string | null =>
  encodingOf(String(encoding))?.decoder === 'utf8' ? null : 'they have no `encoding`: remove it';

export const anyBytes: TakesBytes = { fields: [], whyNot: () => null };

/** Items with nothing between them. */
export const withoutSeparator: TakesBytes = {
  fields: ['encoding', 'separator'],
  whyNot: (value) =>
    utf8Only(value) ??
    (value['separator'] === '' ? null : 'the separator would follow them: set `separator: ""`'),
};
