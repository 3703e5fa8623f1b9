/** Ends a render on behalf of the host, such as `dispatch.drop()`. Reused objects: none needs its stack trace. */
export class Signal extends Error {}
