import type { Micros } from '../../../domain/time/micros.js';
import type { DatabaseName } from './statements.js';

/** A connection to the database: one object for all of its lines. */
export interface DatabaseConnection {
  /** Begin and process id, in hexadecimal digits. */
  readonly id: string;
  readonly user: string;
  readonly database: DatabaseName;
  readonly application: string;
  readonly ip: string;
  readonly port: number;
  readonly pid: number;
  readonly backend: number;
  readonly began: Micros;
  /** How it is encrypted. */
  readonly protocol: string;
  readonly cipher: string;
  readonly bits: number;
}
