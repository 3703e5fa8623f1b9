import { type ActivityKind, isOfConnections } from './activity/kinds.js';
import { type CausalRules, type LookedAt, lookedAt } from './activity/scribe.js';
import type { Look } from './world.js';

interface Looks {
  /** What the sources look at together. */
  readonly all: () => LookedAt;
  /** Returns whether they look at more than before. */
  readonly add: (look: Look) => boolean;
  /** Takes back one `add` of an equal look. Returns whether somebody still looks. */
  readonly remove: (look: Look) => boolean;
}

/** What several sources look at. */
interface Union {
  readonly whole: ReadonlySet<ActivityKind>;
  /** Kinds of which somebody looks at nothing but what goes over the VPN. */
  readonly overVpn: ReadonlySet<ActivityKind>;
  /** Null when somebody looks at all attacks. */
  readonly attacks: ReadonlySet<string> | null;
}

/** Keeps what the sources of a world look at, by how many of them look at the same. */
export const looksOfSources = (rules: CausalRules): Looks => {
  const held = new Map<string, { readonly look: Look; readonly holders: number }>();
  const unite = (): Union => unionOf([...held.values()].map(({ look }) => look));
  let union = unite();
  return {
    all: () => lookedAt(union.whole, rules, union.overVpn, union.attacks),
    add: (look) => {
      const key = keyOf(look);
      held.set(key, { look, holders: (held.get(key)?.holders ?? 0) + 1 });
      if (isWithin(look, union)) return false;
      union = unite();
      return true;
    },
    remove: (look) => {
      const key = keyOf(look);
      const holders = (held.get(key)?.holders ?? 0) - 1;
      if (holders > 0) held.set(key, { look, holders });
      else held.delete(key);
      union = unite();
      return held.size > 0;
    },
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
