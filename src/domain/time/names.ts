import { offsetText } from './iso.js';
import { MICROS_PER_SECOND } from './micros.js';
import type { Zone } from './zone.js';

/** Abbreviations of tzdata by ICU's English long names; other zones show their offset, as in tzdata. */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  'Alaska Daylight Time': 'AKDT',
  'Alaska Standard Time': 'AKST',
  'American Samoa Standard Time': 'SST',
  'Atlantic Daylight Time': 'ADT',
  'Atlantic Standard Time': 'AST',
  'Australian Central Daylight Time': 'ACDT',
  'Australian Central Standard Time': 'ACST',
  'Australian Eastern Daylight Time': 'AEDT',
  'Australian Eastern Standard Time': 'AEST',
  'Australian Western Daylight Time': 'AWDT',
  'Australian Western Standard Time': 'AWST',
  'British Summer Time': 'BST',
  'Central Africa Time': 'CAT',
  'Central Daylight Time': 'CDT',
  'Central European Standard Time': 'CET',
  'Central European Summer Time': 'CEST',
  'Central Indonesia Time': 'WITA',
  'Central Standard Time': 'CST',
  'Chamorro Standard Time': 'ChST',
  'China Daylight Time': 'CDT',
  'China Standard Time': 'CST',
  'Coordinated Universal Time': 'UTC',
  'Cuba Daylight Time': 'CDT',
  'Cuba Standard Time': 'CST',
  'East Africa Time': 'EAT',
  'Eastern Daylight Time': 'EDT',
  'Eastern European Standard Time': 'EET',
  'Eastern European Summer Time': 'EEST',
  'Eastern Indonesia Time': 'WIT',
  'Eastern Standard Time': 'EST',
  'Greenwich Mean Time': 'GMT',
  'Guam Standard Time': 'GST',
  'Hawaii-Aleutian Daylight Time': 'HDT',
  'Hawaii-Aleutian Standard Time': 'HST',
  'Hong Kong Standard Time': 'HKT',
  'Hong Kong Summer Time': 'HKST',
  'India Standard Time': 'IST',
  'Irish Standard Time': 'IST',
  'Israel Daylight Time': 'IDT',
  'Israel Standard Time': 'IST',
  'Japan Standard Time': 'JST',
  'Korean Standard Time': 'KST',
  'Macao Standard Time': 'CST',
  'Macao Summer Time': 'CDT',
  'Mexican Pacific Daylight Time': 'MDT',
  'Mexican Pacific Standard Time': 'MST',
  'Moscow Standard Time': 'MSK',
  'Moscow Summer Time': 'MSD',
  'Mountain Daylight Time': 'MDT',
  'Mountain Standard Time': 'MST',
  'New Zealand Daylight Time': 'NZDT',
  'New Zealand Standard Time': 'NZST',
  'Newfoundland Daylight Time': 'NDT',
  'Newfoundland Standard Time': 'NST',
  'North Korea Time': 'KST',
  'Northern Mariana Islands Time': 'GST',
  'Pacific Daylight Time': 'PDT',
  'Pacific Standard Time': 'PST',
  'Pakistan Standard Time': 'PKT',
  'Pakistan Summer Time': 'PKST',
  'Philippine Standard Time': 'PST',
  'Philippine Summer Time': 'PDT',
  'South Africa Standard Time': 'SAST',
  'Taiwan Daylight Time': 'CDT',
  'Taiwan Standard Time': 'CST',
  'Volgograd Standard Time': 'MSK',
  'Volgograd Summer Time': 'MSD',
  'West Africa Time': 'WAT',
  'Western European Standard Time': 'WET',
  'Western European Summer Time': 'WEST',
  'Western Indonesia Time': 'WIB',
  'Yukon Time': 'MST',
};

/** Zones with a neighbor's name in ICU and an offset in tzdata. */
const NUMERIC: ReadonlySet<string> = new Set([
  'Africa/Casablanca',
  'Africa/El_Aaiun',
  'Antarctica/Casey',
  'Antarctica/Troll',
  'Asia/Colombo',
  'Europe/Astrakhan',
  'Europe/Minsk',
  'Europe/Saratov',
  'Europe/Ulyanovsk',
]);

/** ICU knows British Summer Time only under Europe/London. */
const BRITISH: ReadonlySet<string> = new Set(['Europe/Guernsey', 'Europe/Isle_of_Man', 'Europe/Jersey']);

/** ICU treats these as UTC. */
const GREENWICH = /^(?:Etc\/)?(?:GMT(?:[+-]?0)?|Greenwich)$/;

/** `+03`, `-0330`: an offset as in tzdata. */
const numeric = (offset: number): string => offsetText(offset).replaceAll(':', '').replace(/00$/, '');

const lookUp = (id: string, offset: number, longName: string): string => {
  if (NUMERIC.has(id)) return numeric(offset);
  if (BRITISH.has(id) && offset === 3600) return 'BST';
  return ABBREVIATIONS[longName] ?? numeric(offset);
};

/** Zone rules change at quarters of an hour: within one, the offset determines the abbreviation. */
const SLOT_SECONDS = 900;

/** Cached abbreviation of one zone: a lookup in Intl takes microseconds. */
interface Remembered {
  readonly format: Intl.DateTimeFormat;
  slot: number;
  offset: number;
  text: string;
}

const remembered = new Map<string, Remembered>();

const entryOf = (id: string): Remembered => {
  const known = remembered.get(id);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: id, timeZoneName: 'long', hour: 'numeric' });
  const entry = { format, slot: Number.NaN, offset: 0, text: '' };
  remembered.set(id, entry);
  return entry;
};

/** Abbreviation of the zone at an epoch second as in tzdata, or its offset. Before 2000 some zones show the offset instead. */
export const zoneAbbreviation = (zone: Zone, second: number): string => {
  if (zone.id === 'UTC') return 'UTC';
  if (GREENWICH.test(zone.id)) return 'GMT';
  const entry = entryOf(zone.id);
  const slot = Math.floor(second / SLOT_SECONDS);
  const offset = zone.offsetSecondsAt(second * MICROS_PER_SECOND);
  if (slot === entry.slot && offset === entry.offset) return entry.text;
  const parts = entry.format.formatToParts(second * 1000);
  const longName = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  entry.slot = slot;
  entry.offset = offset;
  entry.text = lookUp(zone.id, offset, longName);
  return entry.text;
};

/** English names as in the C locale, from Sunday. */
export const DAY_NAMES = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const;
export const MONTH_NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

export const DAY_NAMES_FROM_MONDAY: readonly string[] = [...DAY_NAMES.slice(1), DAY_NAMES[0]];
