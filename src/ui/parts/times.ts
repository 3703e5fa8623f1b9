/** Zone of the browser. */
export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const formats = new Map<string, Intl.DateTimeFormat>();

const formatFor = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  formats.set(zone, made);
  return made;
};

/** `2026-11-20 19:00:01` in a zone; a text that is no time stays. */
export const shownTime = (iso: string, zone: string): string => {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? iso : formatFor(zone).format(at);
};

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** The two largest units: `2 h 5 min`. */
export const shownDuration = (seconds: number): string => {
  let rest = Math.max(0, Math.round(seconds));
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0 || (parts.length > 0 && parts.length < 2)) parts.push(`${count} ${unit}`);
    if (parts.length === 2) break;
  }
  return parts.length === 0 ? '0 s' : parts.filter((part, n) => n === 0 || !part.startsWith('0 ')).join(' ');
};

const clock = new Intl.DateTimeFormat('sv-SE', { timeStyle: 'medium' });

/** `19:00:01` in the zone of the browser. */
export const clockTime = (at_ms: number): string => clock.format(at_ms);

/** What happened, and when. */
export interface TimeMark {
  readonly at_ms: number;
  /** A color of CSS. */
  readonly color: string;
  readonly text: string;
}
