import { REAL_SERVERS } from '../plugins/outputs/realServers.js';
import { conformanceTests } from './support.js';

conformanceTests('output', { servers: REAL_SERVERS });
