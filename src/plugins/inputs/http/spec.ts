import { defaulted, integer, lazily, required, text } from '../../../schema/index.js';
import { inputPlugin } from '../../declare.js';

const fields = lazily(() => ({
  host: defaulted(text({ minLength: 1 }), '127.0.0.1', {
    help: 'Address to listen on; the default serves this machine only, 0.0.0.0 every network.',
    example: '0.0.0.0',
  }),
  port: required(integer({ min: 1, max: 65_535 }), { help: 'Port to listen on.', example: 8070 }),
  max_count: defaulted(integer({ min: 1, max: 1_000_000_000 }), 1_000_000, {
    help: 'Most timestamps that one request may ask for.',
    extension: true,
  }),
  max_pending_requests: defaulted(integer({ min: 1 }), 100, {
    help: 'Accepted requests that wait for their turn; more get status 429.',
  }),
}));

export const httpRequestsSpec = inputPlugin({
  name: 'http',
  summary: 'Timestamps on request: a small HTTP server.',
  fields,
  notes: [
    'POST `/generate` with `{"count": 3}` makes three timestamps, equal to the moment the request is taken from the queue. The answer comes at once: 201 accepted, 403 from a web page or with a foreign Host, 422 invalid body or a count above `max_count`, 429 too many pending requests, 409 stopping.',
    'POST `/stop` answers 200, finishes the pending requests and ends the input. Stopping the generator does the same. Other paths get 404, other methods 405; errors have the body `{"detail": "..."}`.',
    'Requests flow at once, beside the other inputs: they are not merged with them or ordered against them. Each is a batch of its own, split at `batch.size`.',
    'The server listens from the start of the generator; if the port is taken, the start fails. It has no authentication and no TLS: protect the port when `host` is not this machine. Of more than 100 open connections, the one without a request for longest is closed.',
    'A checkpoint has no pending requests: after a crash, those are lost. A live patch cannot exchange inputs while there is an `http` input: restart the generator.',
  ],
  examples: [
    { title: 'Events on request of this machine', params: { port: 8070 } },
    { title: 'Small requests of other machines', params: { host: '0.0.0.0', port: 8070, max_count: 1_000 } },
  ],
});
