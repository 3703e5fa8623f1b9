import { createHash } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet, { type HelmetOptions } from 'helmet';

/** Headers by their name. */
export type Headers = Readonly<Record<string, string>>;

const HALF_A_YEAR_SECONDS = 15_552_000;

const NONE = ["'none'"];
const SELF = ["'self'"];

/**
 * What a document of this service may do. `data` is no document at all. A page has one style sheet, named by its
 * hash, and nothing that runs. The web UI runs what comes from this service, and nothing that stands inline.
 */
const POLICIES = {
  data: { defaultSrc: NONE, frameAncestors: NONE },
  page: { defaultSrc: NONE, baseUri: NONE, formAction: NONE, frameAncestors: NONE },
  ui: {
    defaultSrc: NONE,
    scriptSrc: SELF,
    styleSrc: SELF,
    fontSrc: SELF,
    imgSrc: [...SELF, 'data:'],
    connectSrc: SELF,
    manifestSrc: SELF,
    workerSrc: SELF,
    baseUri: NONE,
    formAction: SELF,
    frameAncestors: NONE,
  },
} as const;

type Directives = Readonly<Record<string, readonly string[]>>;

const optionsOf = (directives: Directives, isStrictTransport: boolean): HelmetOptions => ({
  contentSecurityPolicy: { useDefaults: false, directives },
  // The page sees where requests come from, so that its own can be told; nobody else does.
  referrerPolicy: { policy: 'same-origin' },
  xFrameOptions: { action: 'deny' },
  // It counts for every port of a host name, but not for the names below, which are none of our business.
  strictTransportSecurity: isStrictTransport && {
    maxAge: HALF_A_YEAR_SECONDS,
    includeSubDomains: false,
  },
});

/** The headers that helmet sets, as values: answers that no middleware sees carry them too. */
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

/**
 * What every answer carries. `isStrict`: browsers shall come back over TLS only; for answers that went over TLS, and
 * not for `localhost`, whose other ports have other services.
 */
export const securityHeaders = (isStrict: boolean): Headers => (isStrict ? STRICT : PLAIN);

const CSP = 'Content-Security-Policy';

const policyOf = (directives: Directives): Headers => ({ [CSP]: headersOf(directives, false)[CSP] ?? '' });

/** The policy of a page with one `<style>`, whose content is `style`. */
export const pagePolicy = (style: string): Headers => {
  const hash = createHash('sha256').update(style, 'utf8').digest('base64');
  return policyOf({ ...POLICIES.page, styleSrc: [`'sha256-${hash}'`] });
};

/** The policy of the web UI. */
export const UI_POLICY: Headers = policyOf(POLICIES.ui);
