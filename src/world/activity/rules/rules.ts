import type { CausalRules } from '../scribe.js';
import { CLOUD_RULES } from './cloud.js';
import { DESK_RULES } from './desk.js';
import { DNS_RULES } from './dns.js';
import { EDGE_RULES } from './edge.js';
import { ENDPOINT_RULES } from './endpoint.js';
import { LINUX_RULES } from './linux.js';
import { MAIL_RULES } from './mail.js';
import { NETWORK_RULES } from './network.js';
import { SERVER_RULES } from './servers.js';
import { SIGN_ON_RULES } from './signOn.js';
import { WINDOWS_RULES } from './windows.js';

/**
 * What leads to what. A rule without a count holds for every cause of its kind; the checker of worlds expects exactly these
 * effects, and no activity without one of these causes.
 */
export const RULES: CausalRules = {
  ...CLOUD_RULES,
  ...DESK_RULES,
  ...DNS_RULES,
  ...EDGE_RULES,
  ...ENDPOINT_RULES,
  ...LINUX_RULES,
  ...MAIL_RULES,
  ...NETWORK_RULES,
  ...SERVER_RULES,
  ...SIGN_ON_RULES,
  ...WINDOWS_RULES,
};
