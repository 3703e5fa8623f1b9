/**
 * What ends a render: an exception of the language, with the name that Python or Jinja gives it. It is
 * thrown inside the engine only; `render` turns it into a value with the place in the template.
 */
export class Fault extends Error {
  constructor(
    /** Name of the exception class, e.g. `TypeError`, `UndefinedError`, `LimitError`. */
    readonly kind: string,
    message: string,
  ) {
    super(message);
  }
}

/** Ends the render. */
export const raise = (kind: string, message: string): never => {
  throw new Fault(kind, message);
};
