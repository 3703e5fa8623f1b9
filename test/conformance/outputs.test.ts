import { conformanceTests } from './support.js';

conformanceTests('output');
