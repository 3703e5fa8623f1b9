/** What is wrong with a template's text, and where (offset in the normalised source). Thrown inside the parser only. */
export class SyntaxFault extends Error {
  constructor(
    message: string,
    readonly at: number,
    /** Jinja's own name for it. */
    readonly kind: 'TemplateSyntaxError' | 'TemplateAssertionError' = 'TemplateSyntaxError',
  ) {
    super(message);
  }
}

export const fail = (message: string, at: number): never => {
  throw new SyntaxFault(message, at);
};
