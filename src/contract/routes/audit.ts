import { integerParam, textParam, timeParam } from '../params.js';
import { value, valueDoc } from '../reply.js';
import { route } from '../route.js';
import { object } from '../schemaParts.js';

const MAX_PAGE = 500;
const DEFAULT_PAGE = 100;
const MAX_OFFSET = 1_000_000;
const MAX_FILTER_LENGTH = 1_000;

const PAGE = object({
  entries: {
    type: 'array',
    items: object({
      at: { type: 'string', format: 'date-time' },
      user: {
        type: ['string', 'null'],
        description: 'Also of a sign-in that failed; null without credentials.',
      },
      client: { type: 'string', description: 'Address of the client, `mcp`, or `signal`.' },
      operation: {
        type: 'string',
        description: 'An operationId of this document, or the method of an unknown path.',
      },
      target: {
        type: 'string',
        description: 'Path and query as they were sent, cut after 1,000 characters.',
      },
      status: { type: 'integer', description: 'Status of the answer; 0 when the client left before it.' },
    }),
  },
  next_offset: { type: ['integer', 'null'], description: '`offset` of the next page; null at the end.' },
});

export const auditRoutes = () =>
  [
    route({
      id: 'readAudit',
      method: 'get',
      path: '/audit',
      tag: 'Observability',
      summary: 'Read the audit trail',
      description:
        'Returns who changed what, newest first: every request that changes something, also refused and failed ones, sign-ins, ' +
        'calls of language models and reloads by a signal. It comes from `audit.json` in `path.logs` and its rotated files, ' +
        'so it survives a restart. It holds no bodies and no secrets. In a cluster, each node has its own.',
      query: {
        user: textParam(MAX_FILTER_LENGTH, 'Only changes of this user.'),
        operation: textParam(MAX_FILTER_LENGTH, 'Only this operation, for example `startGenerator`.'),
        target: textParam(MAX_FILTER_LENGTH, 'Only targets that contain this text.'),
        since: timeParam('Only changes from this time on.'),
        until: timeParam('Only changes before this time.'),
        offset: integerParam(0, 0, MAX_OFFSET, 'Number of newer entries to skip.'),
        limit: integerParam(DEFAULT_PAGE, 1, MAX_PAGE, 'Maximum entries of the page.'),
      },
      success: valueDoc('The entries, newest first.', PAGE),
      errors: ['unreadable'],
      request: (parts) => ({ type: 'observe.audit', payload: parts.query }),
      reply: value,
    }),
  ] as const;
