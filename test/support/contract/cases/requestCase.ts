/** What a request must be answered with. */
export type Expectation =
  /** It is right: the documented success. */
  | { readonly kind: 'taken' }
  /** It is wrong: 422 that leads to the fault. */
  | { readonly kind: 'refused'; readonly fault: Fault }
  /** One of these statuses. */
  | { readonly kind: 'status'; readonly statuses: readonly number[] }
  /** Right as far as the document tells: any documented answer below 500; a 422 leads to the value. */
  | { readonly kind: 'open'; readonly value: Fault | null };

/** Where something wrong was put into a request. */
export interface Fault {
  readonly where: 'path' | 'query' | 'body';
  /** Name of the parameter, or keys and positions in the body. */
  readonly path: readonly string[];
}

/** Stands for the entity tag that the state has when the request is sent. */
export const CURRENT_ETAG = '<current entity tag>';

/** One request to one operation; what it leaves open is filled in when it is sent. */
export interface RequestCase {
  /** What is special about it. */
  readonly label: string;
  readonly isBroken: boolean;
  readonly expected: Expectation;
  /** Another method than that of the operation. */
  readonly method?: string;
  /** Texts of path parameters as they stand in the URL; those that are absent name what is there. */
  readonly path?: Readonly<Record<string, string>>;
  /** Text after the `?`; without it the least that the operation needs. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Makes the body; without it the smallest one that the operation takes. */
  readonly body?: () => string | Uint8Array;
}

export const TAKEN: Expectation = { kind: 'taken' };

export const answersWith = (...statuses: readonly number[]): Expectation => ({ kind: 'status', statuses });
