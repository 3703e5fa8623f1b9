/** The nonce that the content security policy asks of style elements. */
export const NONCE = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? '';

// Libraries that lock scrolling read it here.
Object.assign(globalThis, { __webpack_nonce__: NONCE });
