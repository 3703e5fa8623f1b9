import { MICROS_PER_MINUTE } from '../../domain/time/micros.js';
import { CLOUD_RECIPES } from './cloud.js';
import { CLUSTER_RECIPES } from './cluster.js';
import { DATABASE_RECIPES } from './database.js';
import { DEVICE_RECIPES } from './devices.js';
import { DNS_RECIPES } from './dns.js';
import { EDGE_RECIPES, FLOOD_RECIPES } from './edge.js';
import { LINUX_RECIPES } from './linux.js';
import { MAIL_RECIPES } from './mail.js';
import type { AttackName } from './names.js';
import { PAYMENT_RECIPES } from './payments.js';
import type { Recipe } from './scene.js';
import { SIGN_ON_RECIPES } from './signOn.js';
import { ENDPOINT_RECIPES } from './sysmon.js';
import { VPN_RECIPES } from './vpn.js';
import { WEB_RECIPES } from './web.js';
import { WINDOWS_RECIPES } from './windows.js';

/** The attacks of a world, by name. All of their steps are acts that normal traffic has, too. New ones go last: the draws of an attack depend on its place. */
export const RECIPES = {
  ...WINDOWS_RECIPES,
  ...DNS_RECIPES,
  ...ENDPOINT_RECIPES,
  ...LINUX_RECIPES,
  ...SIGN_ON_RECIPES,
  ...EDGE_RECIPES,
  ...VPN_RECIPES,
  ...MAIL_RECIPES,
  ...WEB_RECIPES,
  ...CLOUD_RECIPES,
  ...DATABASE_RECIPES,
  ...FLOOD_RECIPES,
  ...CLUSTER_RECIPES,
  ...DEVICE_RECIPES,
  ...PAYMENT_RECIPES,
} satisfies Readonly<Record<AttackName, Recipe>>;

/** A campaign begins within so much of its time. */
export const FIRST_MINUTES = 5 * MICROS_PER_MINUTE;
