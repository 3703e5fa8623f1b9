/** A template exception, named as in Python or Jinja. Thrown inside the engine; `render` returns it. */
export class Fault extends Error {
  constructor(
    /** Exception class, e.g. `TypeError`, `UndefinedError`, `LimitError`. */
    readonly kind: string,
    message: string,
  ) {
    super(message);
  }
}

export const raise = (kind: string, message: string): never => {
  throw new Fault(kind, message);
};
