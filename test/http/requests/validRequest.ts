/** A request that is right, what it asks of the actors, and what it answers. */
export type ValidRequest = readonly [
  id: string,
  method: string,
  path: string,
  body: unknown,
  asked: { readonly type: string; readonly payload: unknown },
  status: number,
  answer: unknown,
];
