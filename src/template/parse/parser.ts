import type { Body, NameNode, Statement } from './ast.js';
import { cursorOf, fail, PLAIN_WHITESPACE, type Token, type Whitespace } from './cursor.js';
import { expressionRules } from './expressions.js';
import { normalised, tokenize } from './lexer.js';
import { asTarget, RESERVED, type Rules, STATEMENT_RULES } from './rules.js';

const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(' or ');

/** Open tags, innermost last, with the tags that may follow. */
interface Open {
  readonly tag: string;
  readonly ends: readonly string[];
}

const openHint = (open: Open | undefined): string =>
  open === undefined
    ? ''
    : ` Jinja was looking for the following tags: ${quoted(open.ends)}. The innermost block that needs to be closed is '${open.tag}'.`;

const unknownTag = (token: Token, open: Open | undefined): never => {
  const name = String(token.value);
  const isEnd = name.startsWith('end') || name === 'else' || name === 'elif';
  const what =
    isEnd && open?.ends.includes(name) === true
      ? `Unexpected end of block tag '${name}'.`
      : `Encountered unknown tag '${name}'.`;
  return fail(what + openHint(open), token.at);
};

const parseTokens = (tokens: readonly Token[]): Body => {
  const cursor = cursorOf(tokens);
  const expressions = expressionRules(cursor);
  const open: Open[] = [];
  let tag = '';

  const nameTarget = (): NameNode => {
    const token = cursor.expect('name');
    const name = String(token.value);
    if (RESERVED.has(name)) return fail("can't assign to 'name'", token.at);
    return { kind: 'name', name, at: token.at };
  };

  const target: Rules['target'] = ({ ends, mayBeMember = false } = {}) => {
    if (mayBeMember && cursor.look().type === '.') {
      const token = cursor.expect('name');
      cursor.expect('.');
      const attribute = String(cursor.expect('name').value);
      return { kind: 'member', name: String(token.value), attribute, at: token.at };
    }
    return asTarget(
      expressions.tuple({ part: expressions.primary, ...(ends === undefined ? {} : { ends }) }),
    );
  };

  const body: Rules['body'] = (...ends) => {
    open.push({ tag, ends });
    cursor.skip(':');
    cursor.expect('block_end');
    const result = statements(ends);
    if (cursor.is('eof')) {
      return fail(`Unexpected end of template.${openHint(open.at(-1))}`, cursor.current().at);
    }
    open.pop();
    return result;
  };

  const bodyTo = (end: string): Body => {
    const result = body(end);
    cursor.next();
    return result;
  };

  const rules: Rules = { ...cursor, expressions, target, nameTarget, body, bodyTo };

  const statement = (): readonly Statement[] => {
    const token = cursor.current();
    if (token.type !== 'name') return fail('tag name expected', token.at);
    const rule = Object.hasOwn(STATEMENT_RULES, String(token.value))
      ? STATEMENT_RULES[String(token.value)]
      : undefined;
    if (rule === undefined) return unknownTag(token, open.at(-1));
    cursor.next();
    const outer = tag;
    tag = String(token.value);
    const made = cursor.deeper(() => rule(rules, token.at));
    tag = outer;
    return Array.isArray(made) ? (made as readonly Statement[]) : [made as Statement];
  };

  const statements = (ends: readonly string[] | null): Body => {
    const result: Statement[] = [];
    for (;;) {
      const token = cursor.current();
      if (token.type === 'eof') return result;
      cursor.next();
      if (token.type === 'data') {
        result.push({ kind: 'text', text: String(token.value), at: token.at });
      } else if (token.type === 'variable_begin') {
        const value = expressions.tuple();
        cursor.expect('variable_end');
        result.push({ kind: 'output', value, at: value.at });
      } else {
        if (ends !== null && cursor.isName(...ends)) return result;
        result.push(...statement());
        cursor.expect('block_end');
      }
    }
  };

  return statements(null);
};

export const parseSource = (source: string, whitespace: Whitespace): Body =>
  parseTokens(tokenize(source, whitespace));

/** For analysis only. Throws SyntaxFault. */
export const parseText = (text: string): Body =>
  parseSource(normalised(text, PLAIN_WHITESPACE.keep_trailing_newline), PLAIN_WHITESPACE);
