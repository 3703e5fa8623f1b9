import { defaulted, integer, lazily, required, text } from '../../../schema/index.js';
import { inputPlugin } from '../../declare.js';

const fields = lazily(() => ({
  host: defaulted(text({ minLength: 1 }), '0.0.0.0', {
    help: 'Address to listen on; the default is every network of the machine.',
    example: '127.0.0.1',
  }),
  port: required(integer({ min: 1, max: 65_535 }), { help: 'Port to listen on.', example: 8070 }),
  max_pending_requests: defaulted(integer({ min: 1 }), 100, {
    help: 'Accepted requests that wait for their turn; more get status 429.',
  }),
}));

export const httpRequestsSpec = inputPlugin({
  name: 'http',
  summary: 'Timestamps on request: a small HTTP server.',
  fields,
  notes: [
    'POST `/generate` with `{"count": 3}` makes three timestamps, equal to the moment the request is taken from the queue. The answer comes at once: 201 accepted, 422 invalid body, 429 too many pending requests, 409 stopping.',
    'POST `/stop` answers 200, finishes the pending requests and ends the input. Stopping the generator does the same. Other paths get 404, other methods 405; errors have the body `{"detail": "..."}`.',
    'Requests flow at once, beside the other inputs: they are not merged with them or ordered against them. Each is a batch of its own, split at `batch.size`.',
    'The server listens from the start of the generator; if the port is taken, the start fails. It has no authentication and no TLS: set `host: 127.0.0.1`, or protect the port.',
    'A checkpoint has no pending requests: after a crash, those are lost. A live patch cannot exchange inputs while there is an `http` input: restart the generator.',
  ],
  examples: [{ title: 'Events on request of this machine', params: { host: '127.0.0.1', port: 8070 } }],
});
