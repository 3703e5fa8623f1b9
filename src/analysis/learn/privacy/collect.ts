import { matchesOf } from '../../../domain/text/matches.js';
import { type Cut, plainValue } from '../cut.js';
import { remembered } from '../remembered.js';
import { kindOfField } from './fieldNames.js';
import type { PrivateKind } from './pseudonyms.js';
import { isKnownAccount, isKnownDomain } from './publicNames.js';
import { COMMON_NAMES } from './words.js';

/** Names that are looked for in all texts. */
const MAX_NAMES = 50_000;

const NAME = '([\\p{L}][\\w\\p{L}.-]{1,63})';
/** What may follow `user ann` in a sentence; without it, the next word may be a verb. */
const AFTER_USER =
  '(?=["\']|:|,? (?:from|at|on|has|was|is|not|does|did|connected|disconnected|logged|authenticated|failed|created|deleted|added|removed|changed|signed|joined|left|requested|denied)\\b)';
/** Parts of a URL that are no names. */
const NO_NAME =
  '(?:me|self|all|new|list|search|login|logout|signup|register|password|profile|settings|current|edit|create|delete|index|admin|api)\\b';

/** Words after `login for` and `login=` that are no names. */
const NO_WHO =
  '(?:an?|this|new|account|application|device|key|page|request|service|success(?:ful)?|succeeded|fail(?:ed|ure)|ok|denied|expired|required|invalid)(?![\\w.@-])';

const look = (kind: PrivateKind, source: string): readonly [PrivateKind, RegExp] => [
  kind,
  new RegExp(source, 'giu'),
];

/** Names in sentences: `Accepted password for ann from`, `user=ann`, `/home/ann/`. Repetitions are bounded. */
const IN_TEXT: readonly (readonly [PrivateKind, RegExp])[] = [
  look(
    'user',
    `\\b(?:(?:password|publickey|keyboard-interactive(?:/pam)?|gssapi-with-mic|hostbased|none) for (?:invalid user |illegal user )?(?!(?:invalid|illegal) user\\b)|(?:for|invalid|illegal|authenticating|by|to|of) user "?|(?:session|token|login) (?:of|for) (?:user )?"?(?!${NO_WHO})|logname=|ruser=|role ")${NAME}`,
  ),
  look(
    'user',
    `(?<![\\p{L}\\d])(?:[sd]?user[_ ]?(?:name|id)?|acct|login|account(?: name)?|benutzer(?:name)?)"?(?:=| ?:\\s)["']?(?:[\\w.-]{1,32}\\\\)?(?!${NO_WHO})${NAME}`,
  ),
  look('user', `"(?:user|username|user_name|login|account)":"${NAME}"`),
  look('user', `\\buser ["']${NAME}["']`),
  look('user', `\\buser (?!(?:is|was|has|not|did|does|from|at|on)\\b)${NAME}${AFTER_USER}`),
  look('user', `/(?:(?:home|Users|u|profiles?|members?)/(?!${NO_NAME})|~)${NAME}`),
  look('user', `/(?:users?|accounts?)/(?!${NO_NAME})${NAME}(?=[/?# "]|$)`),
  // Access logs in formats of their own, and those of Squid.
  look(
    'user',
    `(?:\\d{1,3}(?:\\.\\d{1,3}){3}|(?:[\\da-f]{0,4}:){3,7}[\\da-f]{1,4}) (?:- )?${NAME} (?:\\[\\d\\d/|\\[?"?(?:GET|POST|HEAD|PUT|DELETE|PATCH|OPTIONS) )`,
  ),
  look('user', `(?:GET|POST|HEAD|PUT|CONNECT|OPTIONS) \\S{1,2048} ${NAME} (?:HIER_|DIRECT/|NONE/)`),
  // Clients of a broker.
  look('host', `(?:\\bas|\\b[Cc]lient) ${NAME} (?:\\(p\\d|disconnected|already connected|has exceeded)`),
  look('user', `\\bu'${NAME}'`),
  look(
    'host',
    '(?<![\\p{L}\\d])(?:r?host|server|computer|workstation|node|machine|rechner)(?:[_ ]?name)?"?(?:=|:\\s)"?([A-Za-z][\\w-]{2,62}(?:\\.[\\w-]{1,63}){0,5})',
  ),
];

const isName = (text: string): boolean =>
  text.length >= 2 && text.length <= 128 && /\p{L}/u.test(text) && !COMMON_NAMES.has(text.toLowerCase());

const SID = /^S-1-\d+-/;

/** Words of a name that are looked for on their own: `ann.lee` is also `ann.lee@x` and `ANN.LEE`. */
const isWord = (text: string): boolean => text.length >= 3 && /^[\p{L}\d._-]+$/u.test(text);

const partsOf = (kind: PrivateKind, value: string): readonly string[] => {
  if (kind === 'host') {
    const [first = ''] = value.split(/[.:]/);
    return [value.replace(/:\d+$/, ''), first];
  }
  // `ann@corp`, `CORP\ann`, `Ann Lee`, `Lee, Ann "Annie"`.
  return value.split(/[@\\ +,;"'()]+/);
};

/** The names of people and machines in a log, by lower-case text. Names of fields are none. */
export const personNamesOf = (cuts: readonly Cut[]): ReadonlyMap<string, PrivateKind> => {
  const found = new Map<string, PrivateKind>();
  const fields = new Set<string>();
  for (const { names, kind } of cuts)
    for (const name of [...names, kind]) for (const word of name.toLowerCase().split(/\W+/)) fields.add(word);
  const add = (kind: PrivateKind, value: string): void => {
    if (isKnownAccount(value) || isKnownDomain(value) || SID.test(value)) return;
    for (const part of partsOf(kind, value)) {
      const text = part.toLowerCase().replace(/[.:-]+$/, '');
      if (
        isName(text) &&
        isWord(text) &&
        !fields.has(text) &&
        !/^[\d.:]+$/.test(text) &&
        found.size < MAX_NAMES
      )
        if (!found.has(text)) found.set(text, kind);
    }
  };
  const kindOf = remembered(kindOfField);
  for (const cut of cuts) {
    for (const [at] of cut.values.entries()) {
      const value = plainValue(cut, at);
      const kind = kindOf(cut.names[at] ?? '');
      if ((kind === 'user' || kind === 'host') && value.length <= 128 && !/\s{2}|[{}]/.test(value))
        add(kind, value);
      if (value.length < 4) continue;
      for (const [textKind, pattern] of IN_TEXT)
        for (const match of matchesOf(value, pattern)) if (match[1] !== undefined) add(textKind, match[1]);
    }
  }
  return found;
};

export { isName };
