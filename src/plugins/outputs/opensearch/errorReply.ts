import { isJsonObject } from '../../../domain/json.js';
import type { HttpReply } from '../shared/http/request.js';
import type { RequestError } from '../shared/requestErrors.js';

/** The error with `type: reason` of a JSON reply, `{"error": {"type": .., "reason": ..}, "status": ..}`. */
export const errorOf = ({ text }: Pick<HttpReply, 'text'>, error: RequestError): RequestError => {
  try {
    const reply: unknown = JSON.parse(text);
    const told = isJsonObject(reply) ? reply['error'] : undefined;
    if (typeof told === 'string') return { ...error, what: told };
    if (!isJsonObject(told) || typeof told['type'] !== 'string') return error;
    const { type, reason } = told;
    return { ...error, what: typeof reason === 'string' ? `${type}: ${reason}` : type };
  } catch {
    return error;
  }
};
