import { isUserName } from '../../../config/settings/shape.js';
import { ROLES, type Role } from '../../../domain/access/roles.js';
import type { AuditEntry, AuditPage } from '../../../domain/audit.js';
import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import { hasPlaceholder } from '../../../domain/placeholder.js';
import { valueAt, withValue } from '../../forms/document.js';

/** What a role may do, in a sentence. */
export const ROLE_SENTENCES: Readonly<Record<Role, string>> = {
  read: 'Looks at everything except the audit log and the values of secrets, and changes nothing.',
  operate:
    'Looks, and also starts and stops generators, changes globals, runs incidents, sends dead letters again and drains nodes.',
  admin: 'Does everything, with the rights of the service: configs, scripts, secrets, settings and users.',
};

/** A user as settings name it. */
export interface ListedAccount {
  readonly name: string;
  readonly role: Role;
  /** How it shows who it is. */
  readonly kind: 'password' | 'token';
  /** The placeholder, the mask or the hash that the settings give. */
  readonly credential: string;
}

const roleIn = (value: Json | undefined): Role => ROLES.find((role) => role === value) ?? 'read';

/** The users of settings, the one of `server.auth` first. */
export const accountsIn = (settings: JsonObject): readonly ListedAccount[] => {
  const user = valueAt(settings, ['server', 'auth', 'user']);
  const password = valueAt(settings, ['server', 'auth', 'password']);
  const users = valueAt(settings, ['server', 'users']);
  const first: readonly ListedAccount[] =
    typeof user === 'string'
      ? [{ name: user, role: 'admin', kind: 'password', credential: String(password) }]
      : [];
  const others = Object.entries(isJsonObject(users) ? users : {}).map(([name, account]): ListedAccount => {
    const token = valueAt(account, ['token']);
    const role = roleIn(valueAt(account, ['role']));
    return typeof token === 'string'
      ? { name, role, kind: 'token', credential: token }
      : { name, role, kind: 'password', credential: String(valueAt(account, ['password'])) };
  });
  return [...first, ...others];
};

/** A user of the page, and whether a restart changes something for it. */
export interface AccountRow extends ListedAccount {
  readonly state: 'in use' | 'added' | 'changed' | 'removed';
}

const isSameAccount = (a: ListedAccount, b: ListedAccount): boolean =>
  a.role === b.role && a.kind === b.kind && a.credential === b.credential;

/** The users of the file, and those that the service still has and the file no longer. */
export const accountRows = (inUse: JsonObject, stored: JsonObject): readonly AccountRow[] => {
  const [now, next] = [accountsIn(inUse), accountsIn(stored)];
  const kept = next.map((account): AccountRow => {
    const former = now.find(({ name }) => name === account.name);
    if (former === undefined) return { ...account, state: 'added' };
    return { ...account, state: isSameAccount(former, account) ? 'in use' : 'changed' };
  });
  const gone = now
    .filter(({ name }) => next.every((account) => account.name !== name))
    .map((account): AccountRow => ({ ...account, state: 'removed' }));
  return [...kept, ...gone];
};

/** Whether somebody who may change users can sign in. The web UI takes no tokens. */
export const hasAdmin = (settings: JsonObject): boolean =>
  accountsIn(settings).some(({ role, kind }) => role === 'admin' && kind === 'password');

/** A user that is to be added. */
export interface AddedAccount {
  readonly name: string;
  readonly role: Role;
  readonly password: string | null;
  readonly token: string | null;
}

/** Settings with one more user. The first one is the user of `server.auth`. */
export const withAccount = (
  settings: JsonObject,
  { name, role, password, token }: AddedAccount,
): JsonObject => {
  const isFirst = !hasAdmin(settings) && valueAt(settings, ['server', 'auth', 'user']) == null;
  const next =
    isFirst && role === 'admin' && token === null
      ? withValue(settings, ['server', 'auth'], { user: name, password })
      : withValue(settings, ['server', 'users', name], { role, password, token });
  return next as JsonObject;
};

/** Settings without a user. */
export const withoutAccount = (settings: JsonObject, name: string): JsonObject =>
  (valueAt(settings, ['server', 'auth', 'user']) === name
    ? withValue(settings, ['server', 'auth'], { user: null, password: null })
    : withValue(settings, ['server', 'users', name], undefined)) as JsonObject;

/** Why a user cannot be removed. Null when it can. */
export const removalFlaw = (settings: JsonObject, name: string, current: string | null): string | null => {
  if (name === current) return 'You cannot remove yourself';
  const next = withoutAccount(settings, name);
  return accountsIn(next).length > 0 && !hasAdmin(next)
    ? 'No admin with a password would be left to sign in here'
    : null;
};

export const userNameFlaw = (name: string, settings: JsonObject): string | null => {
  if (!isUserName(name)) return 'must have 1 to 128 characters, without colons and control characters';
  return accountsIn(settings).some((account) => account.name === name)
    ? 'There is a user of this name.'
    : null;
};

/** Where the password of a user goes. */
export type PasswordHome =
  /** A hash or a placeholder stands in the settings as it is. */
  | { readonly kind: 'settings'; readonly password: string }
  /** A typed password goes to the keyring, and its placeholder to the settings. */
  | { readonly kind: 'keyring'; readonly secret: string; readonly password: string };

const placeholderOf = (secret: string): string => `\${secrets.${secret}}`;

export const passwordHome = (name: string, typed: string, secrets: readonly string[]): PasswordHome => {
  if (typed.startsWith('scrypt$') || hasPlaceholder(typed)) return { kind: 'settings', password: typed };
  const base = `user_${name.replace(/[^A-Za-z0-9_]/g, '_')}`.slice(0, 100);
  let secret = base;
  for (let number = 2; secrets.includes(secret); number++) secret = `${base}_${number}`;
  return { kind: 'keyring', secret, password: placeholderOf(secret) };
};

/** The secret that this page made for the password of a user. Null when it made none. */
export const ownSecretOf = (credential: string): string | null =>
  /^\$\{secrets\.(user_\w+)\}$/.exec(credential)?.[1] ?? null;

const TOKEN_BYTES = 32;

/** A token as `spate hash-password --token` makes it. */
export const drawTokenText = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES));
  const text = btoa(String.fromCharCode(...bytes));
  return `spate_${text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
};

/** The form of a token that settings hold: it does not tell the token. */
export const storedToken = async (token: string): Promise<string> => {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token)));
  return `sha256$${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
};

export const isTokenHash = (text: string): boolean => /^sha256\$[0-9a-f]{64}$/.test(text);

/** The lines of a settings file for a user, to paste where the service may not write the file. */
export const accountYaml = ({ name, role, password, token }: AddedAccount): string => {
  const credential =
    token === null ? `password: ${JSON.stringify(password)}` : `token: ${JSON.stringify(token)}`;
  return `server:\n  users:\n    ${JSON.stringify(name)}:\n      role: ${role}\n      ${credential}\n`;
};

/** Refused credentials say nothing of the user that they name. */
const WRONG_CREDENTIALS = [401, 429];

/** The newest entry of each user, by name; calls of a user's language model count as the user's. */
const noteNewest = (newest: Map<string, AuditEntry>, entries: readonly AuditEntry[]): void => {
  for (const entry of entries) {
    const name = entry.user?.replace(/ \(mcp\)$/, '') ?? '';
    if (!newest.has(name) && !WRONG_CREDENTIALS.includes(entry.status)) newest.set(name, entry);
  }
};

const TRAIL_PAGE = 500;
const TRAIL_PAGES = 4;
/** Entries in which users are looked for: a page of many users must not read the whole trail for each. */
export const SEEN_AMONG = TRAIL_PAGE * TRAIL_PAGES;

/** When each of some users changed something last, by the newest entries of the trail. */
export const lastSeen = async (
  names: readonly string[],
  read: (query: { readonly offset: number; readonly limit: number }) => Promise<AuditPage>,
): Promise<ReadonlyMap<string, AuditEntry>> => {
  const newest = new Map<string, AuditEntry>();
  let offset: number | null = 0;
  while (offset !== null && offset < SEEN_AMONG && names.some((name) => !newest.has(name))) {
    const page: AuditPage = await read({ offset, limit: TRAIL_PAGE });
    noteNewest(newest, page.entries);
    offset = page.next_offset;
  }
  return newest;
};
