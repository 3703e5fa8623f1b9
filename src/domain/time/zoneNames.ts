import { offsetText } from './iso.js';
import { MICROS_PER_MS, type Micros } from './micros.js';
import type { Zone } from './zone.js';

const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (id: string): Intl.DateTimeFormat => {
  const known = formats.get(id);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: id, timeZoneName: 'short', hour: 'numeric' });
  formats.set(id, format);
  return format;
};

/**
 * Abbreviations that ICU gives only in a locale of their region, by IANA name: winter, summer. Everything
 * else that ICU does not abbreviate is shown as tzdata does, `+03` or `+0530`.
 */
const EUROPEAN: Readonly<Record<string, readonly [winter: string, summer: string]>> = {
  WET: ['WET', 'WEST'],
  CET: ['CET', 'CEST'],
  EET: ['EET', 'EEST'],
  GB: ['GMT', 'BST'],
  IE: ['GMT', 'IST'],
};

const GROUPS: readonly (readonly [keyof typeof EUROPEAN & string, readonly string[]])[] = [
  ['GB', ['Europe/London', 'Europe/Belfast', 'Europe/Jersey', 'Europe/Guernsey', 'Europe/Isle_of_Man']],
  ['IE', ['Europe/Dublin']],
  ['WET', ['Europe/Lisbon', 'Atlantic/Madeira', 'Atlantic/Canary', 'Atlantic/Faroe', 'WET']],
  [
    'EET',
    [
      'Europe/Athens',
      'Europe/Bucharest',
      'Europe/Chisinau',
      'Europe/Helsinki',
      'Europe/Kiev',
      'Europe/Kyiv',
      'Europe/Mariehamn',
      'Europe/Riga',
      'Europe/Sofia',
      'Europe/Tallinn',
      'Europe/Vilnius',
      'Asia/Beirut',
      'Asia/Nicosia',
      'Africa/Cairo',
      'EET',
    ],
  ],
];

/** Zones of Europe that keep central European time: all of `Europe/` at +01 in winter not named above. */
const groupOf = (id: string): readonly [string, string] | undefined => {
  const named = GROUPS.find(([, ids]) => ids.includes(id));
  if (named !== undefined) return EUROPEAN[named[0]];
  return id.startsWith('Europe/') || id === 'CET' || id === 'MET' ? EUROPEAN['CET'] : undefined;
};

/** Hours from UTC that an abbreviation of the groups stands for. */
const HOURS: Readonly<Record<string, number>> = {
  GMT: 0,
  WET: 0,
  BST: 1,
  WEST: 1,
  IST: 1,
  CET: 1,
  CEST: 2,
  EET: 2,
  EEST: 3,
};

/** Abbreviation of the zone at an instant for `%Z`: `UTC`, `CET`, `EDT`, or the offset where there is none. */
export const zoneAbbreviation = (zone: Zone, micros: Micros): string => {
  if (zone.id === 'UTC' || zone.id === 'Etc/UTC') return 'UTC';
  const hours = zone.offsetSecondsAt(micros) / 3600;
  const name = groupOf(zone.id)?.find((text) => HOURS[text] === hours);
  if (name !== undefined) return name;
  const parts = formatOf(zone.id).formatToParts(micros / MICROS_PER_MS);
  const short = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  if (/^[A-Z]{2,5}$/.test(short)) return short;
  return offsetText(zone.offsetSecondsAt(micros)).replaceAll(':', '').replace(/00$/, '');
};
