import { type ActivityKind, isOfConnections } from './activity/kinds.js';
import { type CausalRules, type LookedAt, lookedAt } from './activity/scribe.js';
import type { Look } from './world.js';

/** What several sources look at. */
interface Union {
  readonly whole: ReadonlySet<ActivityKind>;
  /** Kinds of which somebody looks at nothing but what goes over the VPN. */
  readonly overVpn: ReadonlySet<ActivityKind>;
  /** Null when somebody looks at all attacks. */
  readonly attacks: ReadonlySet<string> | null;
}

/**
 * Counts what the sources of a world look at, until the signal of each aborts. `onChange` gets what all look at together,
 * and whether minutes have to be made anew.
 */
export const looksOfSources = (
  rules: CausalRules,
  onChange: (looked: LookedAt, isAnew: boolean) => void,
): ((look: Look, until?: AbortSignal) => void) => {
  const held = new Map<string, { readonly look: Look; readonly holders: number }>();
  let union = unionOf([]);
  const change = (isAnew: boolean): void => {
    union = unionOf([...held.values()].map(({ look }) => look));
    onChange(lookedAt(union.whole, rules, union.overVpn, union.attacks), isAnew);
  };
  return (look, until) => {
    const key = keyOf(look);
    held.set(key, { look, holders: (held.get(key)?.holders ?? 0) + 1 });
    if (!isWithin(look, union)) change(true);
    const end = (): void => {
      const holders = (held.get(key)?.holders ?? 0) - 1;
      if (holders > 0) {
        held.set(key, { look, holders });
        return;
      }
      held.delete(key);
      // What was made for more eyes is right for fewer. With nobody left, minutes are forgotten.
      change(held.size === 0);
    };
    if (until?.aborted === true) end();
    else until?.addEventListener('abort', end, { once: true });
  };
};

const keyOf = ({ kinds, isOverVpn = false, attacks = null }: Look): string =>
  JSON.stringify([kinds, isOverVpn, attacks === null ? null : [...attacks]]);

const goesByVpn = ({ isOverVpn = false }: Look, kind: ActivityKind): boolean =>
  isOverVpn && isOfConnections(kind);

const unionOf = (looks: readonly Look[]): Union => {
  const kindsOf = (isByVpn: boolean) =>
    new Set(looks.flatMap((look) => look.kinds.filter((kind) => goesByVpn(look, kind) === isByVpn)));
  const attacks = looks.map((look) => look.attacks ?? null);
  const isOfAll = attacks.includes(null);
  return {
    whole: kindsOf(false),
    overVpn: kindsOf(true),
    attacks: isOfAll ? null : new Set(attacks.flatMap((those) => [...(those ?? [])])),
  };
};

const isWithin = (look: Look, { whole, overVpn, attacks }: Union): boolean => {
  const shown = look.attacks ?? null;
  if (attacks !== null && (shown === null || ![...shown].every((attack) => attacks.has(attack))))
    return false;
  return look.kinds.every((kind) => whole.has(kind) || (goesByVpn(look, kind) && overVpn.has(kind)));
};
