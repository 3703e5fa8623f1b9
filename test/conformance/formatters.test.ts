import { conformanceTests } from './support.js';

conformanceTests('formatter');
