/** A syntax error and its offset in the normalized source. Thrown inside the parser only. */
export class SyntaxFault extends Error {
  constructor(
    message: string,
    readonly at: number,
    /** Jinja's name of the error. */
    readonly kind: 'TemplateSyntaxError' | 'TemplateAssertionError' = 'TemplateSyntaxError',
  ) {
    super(message);
  }
}

export const fail = (message: string, at: number): never => {
  throw new SyntaxFault(message, at);
};
