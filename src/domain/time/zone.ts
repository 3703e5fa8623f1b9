import { MICROS_PER_DAY, MICROS_PER_MS, MICROS_PER_SECOND, type Micros } from './micros.js';

export interface Zone {
  /** IANA name, exact case. */
  readonly id: string;
  /** Offset from UTC in whole seconds; cached. */
  readonly offsetSecondsAt: (micros: Micros) => number;
  /** Instants of a local time, given in microseconds as if it were UTC: one, two in a repeated hour, none in a gap. */
  readonly instantsOf: (localMicros: number) => readonly Micros[];
  /** One instant of a local time: the first in a repeated hour, the end of a gap. */
  readonly instantOf: (localMicros: number) => Micros;
  /** Returns the next offset change, or null when there is none within 400 days. */
  readonly nextTransition: (micros: Micros) => Micros | null;
}

const SECONDS_PER_DAY = 86_400;
/** Offsets are read and cached for about a year at once. */
const DAYS_OF_SPAN = 366;
const SPAN_SECONDS = DAYS_OF_SPAN * SECONDS_PER_DAY;
/** Below the shortest interval between two changes (3.99 days: Freetown, 1939): none is missed. */
const TRANSITION_STEP_DAYS = 3;
const TRANSITION_REACH_DAYS = 400;

/** `offsets[i]` holds from `starts[i]`, in epoch seconds. */
interface SpanOffsets {
  readonly starts: readonly number[];
  readonly offsets: readonly number[];
}

/** End of a `longOffset`: `GMT-00:44:30`, without seconds if 0; `GMT` for no offset. */
const LONG_OFFSET = /GMT(?:([+-])(\d+):(\d+):?(\d*))?$/;

/** Reads the offset from Intl: exact but slow; `formatToParts` would be three times slower. */
const offsetReader = (id: string): ((seconds: number) => number) => {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: id, timeZoneName: 'longOffset' });
  return (at) => {
    const [, sign, hours = 0, minutes = 0, seconds = 0] = LONG_OFFSET.exec(format.format(at * 1000)) ?? [];
    const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    return sign === '-' ? -size : size;
  };
};

/** First second in `(from, to]` with another offset than `from`; there is one change. */
const findChange = (read: (seconds: number) => number, from: number, to: number): number => {
  const before = read(from);
  let low = from;
  let high = to;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (read(middle) === before) low = middle;
    else high = middle;
  }
  return high;
};

const readSpan = (read: (seconds: number) => number, from: number): SpanOffsets => {
  const starts = [from];
  let before = read(from);
  const offsets = [before];
  for (let days = 0; days < DAYS_OF_SPAN; days += TRANSITION_STEP_DAYS) {
    const start = from + days * SECONDS_PER_DAY;
    const end = start + TRANSITION_STEP_DAYS * SECONDS_PER_DAY;
    const after = read(end);
    if (after === before) continue;
    starts.push(findChange(read, start, end));
    offsets.push(after);
    before = after;
  }
  return { starts, offsets };
};

const makeZone = (id: string): Zone => {
  const read = offsetReader(id);
  const spans = new Map<number, SpanOffsets>();
  /** The last interval and its offset: most calls are close in time. */
  let [lastFrom, lastTo, lastOffset] = [Number.NaN, Number.NaN, 0];

  const spanOf = (index: number): SpanOffsets => {
    const known = spans.get(index);
    if (known !== undefined) return known;
    const made = readSpan(read, index * SPAN_SECONDS);
    spans.set(index, made);
    return made;
  };

  const offsetAtSecond = (second: number): number => {
    if (second >= lastFrom && second < lastTo) return lastOffset;
    const index = Math.floor(second / SPAN_SECONDS);
    const { starts, offsets } = spanOf(index);
    let at = starts.length - 1;
    while (at > 0 && (starts[at] ?? 0) > second) at--;
    lastFrom = starts[at] ?? 0;
    lastTo = starts[at + 1] ?? (index + 1) * SPAN_SECONDS;
    lastOffset = offsets[at] ?? 0;
    return lastOffset;
  };
  const offsetSecondsAt = (micros: Micros): number => offsetAtSecond(Math.floor(micros / MICROS_PER_SECOND));

  const instantsOf = (localMicros: number): readonly Micros[] => {
    const earlier = offsetSecondsAt(localMicros - MICROS_PER_DAY);
    const later = offsetSecondsAt(localMicros + MICROS_PER_DAY);
    const offsets = earlier === later ? [earlier] : [earlier, later];
    return offsets
      .map((offset) => localMicros - offset * MICROS_PER_SECOND)
      .filter((instant, index) => offsetSecondsAt(instant) === offsets[index])
      .sort((a, b) => a - b);
  };

  const nextTransition = (micros: Micros): Micros | null => {
    const from = Math.floor(micros / MICROS_PER_SECOND);
    const reach = from + TRANSITION_REACH_DAYS * SECONDS_PER_DAY;
    for (let index = Math.floor(from / SPAN_SECONDS); index * SPAN_SECONDS <= reach; index++) {
      const { starts } = spanOf(index);
      for (let at = 1; at < starts.length; at++) {
        const start = starts[at] ?? 0;
        if (start > from) return start <= reach ? start * MICROS_PER_SECOND : null;
      }
    }
    return null;
  };

  return {
    id,
    offsetSecondsAt,
    instantsOf,
    nextTransition,
    instantOf: (localMicros) => {
      const [first] = instantsOf(localMicros);
      if (first !== undefined) return first;
      // In a gap the change lies between the local time read with the offsets before and after it.
      const after = offsetSecondsAt(localMicros + MICROS_PER_DAY);
      const beforeChange = localMicros - after * MICROS_PER_SECOND - MICROS_PER_MS;
      return nextTransition(beforeChange) ?? localMicros - after * MICROS_PER_SECOND;
    },
  };
};

export const utc: Zone = {
  id: 'UTC',
  offsetSecondsAt: () => 0,
  instantsOf: (localMicros) => [localMicros],
  instantOf: (localMicros) => localMicros,
  nextTransition: () => null,
};

/** A zone that never changes, without a name of IANA. */
export const fixedZone = (offset_seconds: number): Zone => {
  const instantOf = (localMicros: number): Micros => localMicros - offset_seconds * MICROS_PER_SECOND;
  return {
    id: offset_seconds === 0 ? 'UTC' : `UTC${offset_seconds < 0 ? '-' : '+'}${Math.abs(offset_seconds)}s`,
    offsetSecondsAt: () => offset_seconds,
    instantsOf: (localMicros) => [instantOf(localMicros)],
    instantOf,
    nextTransition: () => null,
  };
};

const listed: ReadonlySet<string> = new Set(Intl.supportedValuesOf('timeZone'));

/** Checks the exact case: Intl accepts any, and returns links as the name of their target. */
const isKnown = (id: string): boolean => {
  if (listed.has(id)) return true;
  if (!zoneLinks.has(id)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: id });
    return true;
  } catch {
    return false;
  }
};

const zones = new Map<string, Zone>([['UTC', utc]]);

/** The zone with this IANA name, exact case, or `null`. One object per name. */
export const zoneOf = (id: string): Zone | null => {
  const known = zones.get(id);
  if (known !== undefined) return known;
  if (!isKnown(id)) return null;
  const zone = makeZone(id);
  zones.set(id, zone);
  return zone;
};

/** IANA names that `Intl` accepts but may not list, by area; those without an area first. Source: tzdata 2025b. */
const LINKS: Readonly<Record<string, string>> = {
  '': 'CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland Iran Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK Singapore Turkey UCT UTC Universal W-SU WET Zulu',
  Africa: 'Asmara Asmera Timbuktu',
  America:
    'Argentina/Buenos_Aires Argentina/Catamarca Argentina/ComodRivadavia Argentina/Cordoba Argentina/Jujuy Argentina/Mendoza Atikokan Atka Buenos_Aires Catamarca Coral_Harbour Cordoba Ensenada Fort_Wayne Godthab Indiana/Indianapolis Indianapolis Jujuy Kentucky/Louisville Knox_IN Kralendijk Louisville Lower_Princes Marigot Mendoza Montreal Nipigon Nuuk Pangnirtung Porto_Acre Rainy_River Rosario Santa_Isabel Shiprock St_Barthelemy Thunder_Bay Virgin Yellowknife',
  Antarctica: 'South_Pole',
  Arctic: 'Longyearbyen',
  Asia: 'Ashkhabad Calcutta Choibalsan Chongqing Chungking Dacca Harbin Ho_Chi_Minh Istanbul Kashgar Kathmandu Katmandu Kolkata Macao Rangoon Saigon Tel_Aviv Thimbu Ujung_Pandang Ulan_Bator Yangon',
  Atlantic: 'Faeroe Faroe Jan_Mayen',
  Australia: 'ACT Canberra Currie LHI NSW North Queensland South Tasmania Victoria West Yancowinna',
  Brazil: 'Acre DeNoronha East West',
  Canada: 'Atlantic Central Eastern Mountain Newfoundland Pacific Saskatchewan Yukon',
  Chile: 'Continental EasterIsland',
  Etc: 'GMT GMT+0 GMT+1 GMT+10 GMT+11 GMT+12 GMT+2 GMT+3 GMT+4 GMT+5 GMT+6 GMT+7 GMT+8 GMT+9 GMT-0 GMT-1 GMT-10 GMT-11 GMT-12 GMT-13 GMT-14 GMT-2 GMT-3 GMT-4 GMT-5 GMT-6 GMT-7 GMT-8 GMT-9 GMT0 Greenwich UCT UTC Universal Zulu',
  Europe:
    'Belfast Bratislava Busingen Kiev Kyiv Mariehamn Nicosia Podgorica San_Marino Tiraspol Uzhgorod Vatican Zaporozhye',
  Mexico: 'BajaNorte BajaSur General',
  Pacific: 'Chuuk Enderbury Johnston Kanton Pohnpei Ponape Samoa Truk Yap',
  US: 'Alaska Aleutian Arizona Central East-Indiana Eastern Hawaii Indiana-Starke Michigan Mountain Pacific Samoa',
};

export const zoneLinks: ReadonlySet<string> = new Set(
  Object.entries(LINKS).flatMap(([area, names]) =>
    names.split(' ').map((name) => (area === '' ? name : `${area}/${name}`)),
  ),
);
