import { conformanceTests } from './support.js';

/** The behavior of `script` is tested on built code: jest does not let user modules be imported natively. */
conformanceTests('event', { testedElsewhere: new Set(['script']) });
