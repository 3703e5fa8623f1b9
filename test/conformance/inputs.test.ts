import { conformanceTests } from './support.js';

conformanceTests('input');
