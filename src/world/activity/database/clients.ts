import { MICROS_PER_SECOND, type Micros } from '../../../domain/time/micros.js';
import { type KeyedDraws, weighted } from '../../draw.js';
import { bump, HOURS_PER_WEEK, solarHours, weekendAt } from '../../schedule/week.js';
import { NOWHERE } from '../rules/shared.js';
import type { Surroundings } from '../scribe.js';
import { shareOfVisitors } from '../web/webMinute.js';
import type { DatabaseConnection } from './connection.js';
import type { DatabaseClient, DatabaseProgram } from './programs.js';

/** The share of the most work in offices at a moment: most by day, a third of that at the weekend, little at night. */
const shareOfOffice = (longitude: number, at: Micros): number => {
  const hours = solarHours(longitude, at) % HOURS_PER_WEEK;
  return (0.1 + 0.9 * bump(hours % 24, 13, 4)) * (1 - 0.67 * weekendAt(hours));
};

/** The share of the most connections of a program that it has at a moment. */
export const loadAt = ({ load }: DatabaseProgram, { population }: Surroundings, at: Micros): number => {
  const longitude = population.sites[0]?.longitude ?? 0;
  if (load === 'steady') return 1;
  return load === 'visitors' ? shareOfVisitors(longitude, at) : shareOfOffice(longitude, at);
};

const cipherAt = weighted<readonly [protocol: string, cipher: string, bits: number]>([
  [80, ['TLSv1.3', 'TLS_AES_256_GCM_SHA384', 256]],
  [6, ['TLSv1.3', 'TLS_CHACHA20_POLY1305_SHA256', 256]],
  [5, ['TLSv1.3', 'TLS_AES_128_GCM_SHA256', 128]],
  [7, ['TLSv1.2', 'ECDHE-RSA-AES256-GCM-SHA384', 256]],
  [2, ['TLSv1.2', 'ECDHE-RSA-AES128-GCM-SHA256', 128]],
]);

const FIRST_PID = 1_300;
const LAST_PID = 4_194_303;
/** Ports that Linux gives to clients. */
const PORTS = { first: 32_768, last: 60_999 } as const;

/** Somebody connects to the database. */
export const connectToDatabase = (
  own: KeyedDraws,
  { application, user, database }: Pick<DatabaseClient, 'application' | 'user' | 'database'>,
  ip: string,
  began: Micros,
): DatabaseConnection => {
  const pid = own.integer(FIRST_PID, LAST_PID);
  const [protocol, cipher, bits] = cipherAt(own.next());
  return {
    id: `${Math.floor(began / MICROS_PER_SECOND).toString(16)}.${pid.toString(16)}`,
    user,
    database,
    application,
    ip,
    port: own.integer(PORTS.first, PORTS.last),
    pid,
    backend: own.integer(3, 190),
    began,
    protocol,
    cipher,
    bits,
  };
};

/** Address of a server from which a program is used: that of each of them in turn. */
export const addressOfProgram = (
  { population }: Surroundings,
  { role }: DatabaseProgram,
  turn: number,
): string => {
  const servers = population.serversOf(role);
  return servers[turn % servers.length]?.ip ?? NOWHERE.ip;
};
