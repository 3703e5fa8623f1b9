/** One bit for a prefix of bits, from the key of the pseudonyms. */
export type PrefixBit = (prefix: string) => 0 | 1;

/** Prefixes that stay, so that an address keeps its meaning: RFC 1918, RFC 6598, RFC 3927. */
const KEPT_V4: readonly (readonly [start: string, bits: number])[] = [
  ['10.', 8],
  ['192.168.', 16],
  ['169.254.', 16],
  ...Array.from({ length: 16 }, (_, at) => [`172.${16 + at}.`, 12] as const),
  ...Array.from({ length: 64 }, (_, at) => [`100.${64 + at}.`, 10] as const),
];

/** Addresses that name no machine: unspecified, loopback, multicast, masks. */
export const isPublicKnowledge = (address: string): boolean =>
  /^(?:0\.|127\.|255\.|22[4-9]\.|23\d\.)/.test(address) || /^(?:::1?|ff[0-9a-f]{2}:.*)$/i.test(address);

const bitsOf = (value: number, width: number): string => value.toString(2).padStart(width, '0');

/**
 * Prefix-preserving: addresses with a common prefix of n bits keep one of n bits. As Crypto-PAn (Xu, Fan, Ammar,
 * Moon: "Prefix-preserving IP address anonymization", ICNP 2002), with another function for the bits.
 */
const mapped = (bits: string, kept: number, bit: PrefixBit): string => {
  let out = '';
  for (let at = 0; at < bits.length; at++) {
    const own = bits[at] === '1' ? 1 : 0;
    out += at < kept ? own : own ^ bit(bits.slice(0, at));
  }
  return out;
};

export const mapV4 = (address: string, bit: PrefixBit): string => {
  const bits = address
    .split('.')
    .map((part) => bitsOf(Number(part), 8))
    .join('');
  const kept = KEPT_V4.find(([start]) => address.startsWith(start))?.[1] ?? 0;
  const out = mapped(bits, kept, (prefix) => bit(`4${prefix}`));
  return [0, 8, 16, 24].map((at) => Number.parseInt(out.slice(at, at + 8), 2)).join('.');
};

/** Eight groups of an IPv6 address, or null. */
const groupsOf = (address: string): readonly number[] | null => {
  const [head = '', tail] = address.split('::');
  const read = (text: string): readonly number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [first, last] = [read(head), read(tail ?? '')];
  const missing = 8 - first.length - last.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return null;
  return [...first, ...Array<number>(Math.max(0, missing)).fill(0), ...last];
};

/** The shortest form (RFC 5952). */
const showV6 = (groups: readonly number[]): string => {
  const text = groups.map((group) => group.toString(16)).join(':');
  const runs = [...text.matchAll(/(?<![0-9a-f])0(?::0)+(?![0-9a-f])/g)];
  const [longest] = runs.toSorted((a, b) => b[0].length - a[0].length);
  if (longest === undefined) return text;
  const [before, after] = [text.slice(0, longest.index), text.slice(longest.index + longest[0].length)];
  return `${before.replace(/:$/, '')}::${after.replace(/^:/, '')}`;
};

/** Keeps three bits of global addresses, ten of link-local and seven of local ones. */
export const mapV6 = (address: string, bit: PrefixBit): string => {
  const groups = groupsOf(address.toLowerCase());
  if (groups === null) return '::';
  const kept = /^fe[89ab]/i.test(address) ? 10 : /^f[cd]/i.test(address) ? 7 : 3;
  const out = mapped(groups.map((group) => bitsOf(group, 16)).join(''), kept, (prefix) => bit(`6${prefix}`));
  const made = groups.map((_, at) => Number.parseInt(out.slice(at * 16, at * 16 + 16), 2));
  return showV6(made);
};
