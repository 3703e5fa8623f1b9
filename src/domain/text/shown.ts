/** Longer names are not compared: the cost is the product of both lengths. */
const MAX_LENGTH = 64;

/** Damerau-Levenshtein distance, optimal string alignment: insert, delete, replace and swap of neighbors cost 1 each. */
export const editDistance = (a: string, b: string): number => {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
};

const plain = (name: string): string => name.toLowerCase().replaceAll('-', '_');

/** The nearest known name, if at most a third of its letters differ, or one; ignores case, `-` and `_`. The first of equals. */
export const nearest = (name: string, known: readonly string[]): string | null => {
  if (name.length > MAX_LENGTH) return null;
  let best: { readonly name: string; readonly distance: number } | null = null;
  for (const candidate of known) {
    const limit = Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3));
    if (candidate.length > MAX_LENGTH || Math.abs(name.length - candidate.length) > limit) continue;
    const distance = editDistance(plain(name), plain(candidate));
    if (distance <= limit && (best === null || distance < best.distance))
      best = { name: candidate, distance };
  }
  return best === null ? null : best.name;
};

/** `Did you mean 'x'?` or `null`; `prefix` goes before the name. */
export const didYouMean = (name: string, known: readonly string[], prefix = ''): string | null => {
  const meant = nearest(name, known);
  return meant === null ? null : `Did you mean '${prefix}${meant}'?`;
};

/** The text with an end. */
export const asSentence = (text: string): string => (/[.!?^]$/.test(text) ? text : `${text}.`);

/** What is wrong, and what to do when that is known. */
export const sentencesOf = ({
  message,
  hint,
}: {
  readonly message: string;
  readonly hint?: string;
}): string => [message, ...(hint === undefined ? [] : [hint])].map(asSentence).join(' ');

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for an HTML element or a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] as string);

/** Longest text of an error, a log line or a value in its context. */
export const MAX_MESSAGE_CHARS = 8_192;
/** Longest reason inside such a text. */
export const MAX_REASON_CHARS = 4_096;

/** The text, cut to `max` characters with a note of its full length. */
export const shortened = (text: string, max = MAX_MESSAGE_CHARS): string =>
  text.length <= max ? text : `${text.slice(0, max)}... (cut: ${text.length} characters)`;

/** `host:port` of a URL, with an IPv6 address in brackets (RFC 3986, 3.2.2). */
export const hostPort = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

// Without Intl, whose first formatter takes 20 ms of a start.

/** `1,234,567` */
export const showCount = (count: number): string =>
  String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');

/** `1 event`, `2 events` */
export const plural = (count: number, noun: string): string =>
  `${showCount(count)} ${noun}${count === 1 ? '' : 's'}`;
