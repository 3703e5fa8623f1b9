import { createHash } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet, { type HelmetOptions } from 'helmet';

export type Headers = Readonly<Record<string, string>>;

const HALF_A_YEAR_SECONDS = 15_552_000;

const NONE = ["'none'"];
const SELF = ["'self'"];

/** Policies of documents. `data`: not a document. `page`: one style sheet, by hash, and no scripts.
 * `ui`: its own files, and style elements that have the nonce. `script`: a worker asks its own origin. */
const POLICIES = {
  data: { defaultSrc: NONE, frameAncestors: NONE },
  page: { defaultSrc: NONE, baseUri: NONE, formAction: NONE, frameAncestors: NONE },
  ui: {
    ...{ defaultSrc: NONE, baseUri: NONE, formAction: NONE, frameAncestors: NONE },
    ...{ scriptSrc: SELF, connectSrc: SELF, fontSrc: SELF, workerSrc: SELF, imgSrc: [...SELF, 'data:'] },
  },
  script: { defaultSrc: NONE, frameAncestors: NONE, connectSrc: SELF },
} as const;

type Directives = Readonly<Record<string, readonly string[]>>;

const optionsOf = (directives: Directives, isStrictTransport: boolean): HelmetOptions => ({
  contentSecurityPolicy: { useDefaults: false, directives },
  // Our page sees the origin of requests; others do not.
  referrerPolicy: { policy: 'same-origin' },
  xFrameOptions: { action: 'deny' },
  // Applies to every port of the host name, but not to subdomains.
  strictTransportSecurity: isStrictTransport && {
    maxAge: HALF_A_YEAR_SECONDS,
    includeSubDomains: false,
  },
});

/** Helmet's headers as values, for responses that bypass the middleware. */
const headersOf = (directives: Directives, isStrictTransport: boolean): Headers => {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  const headers: Record<string, string> = {};
  response.setHeader = (name, value) => {
    headers[name] = String(value);
    return response;
  };
  helmet(optionsOf(directives, isStrictTransport))(request, response, () => {});
  return headers;
};

const PLAIN = headersOf(POLICIES.data, false);
const STRICT = headersOf(POLICIES.data, true);

/** `isStrict`: browsers must return over TLS; not for `localhost`, which other services share. */
export const securityHeaders = (isStrict: boolean): Headers => (isStrict ? STRICT : PLAIN);

const CSP = 'Content-Security-Policy';

const policyOf = (directives: Directives): Headers => ({ [CSP]: headersOf(directives, false)[CSP] ?? '' });

/** The policy of a page with one `<style>`. */
export const pagePolicy = (style: string): Headers => {
  const hash = createHash('sha256').update(style, 'utf8').digest('base64');
  return policyOf({ ...POLICIES.page, styleSrc: [`'sha256-${hash}'`] });
};

/** The policy of the web UI. `nonce`: of the style elements that its libraries add. */
export const uiPolicy = (nonce: string): Headers =>
  policyOf({ ...POLICIES.ui, styleSrc: [...SELF, `'nonce-${nonce}'`] });

/** The policy of scripts of the web UI: browsers apply it where they run one as a worker. */
export const SCRIPT_POLICY = policyOf(POLICIES.script);
