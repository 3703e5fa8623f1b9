/** What a user may do; each role may do what those before it may. */
export const ROLES = ['read', 'operate', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Whether a role is enough where another one is needed. */
export const mayDo = (held: Role, needed: Role): boolean => ROLES.indexOf(held) >= ROLES.indexOf(needed);

/** Who may use the service, and how: with a password or a token. */
export interface Account {
  readonly user: string;
  readonly role: Role;
  /** Text or a scrypt hash. Null when the account has a token. */
  readonly password: string | null;
  /** `sha256$` and the hash in hexadecimal digits. Null when the account has a password. */
  readonly token: string | null;
}
