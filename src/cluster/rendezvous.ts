import { murmurMix } from '../domain/random.js';
import type { Labels } from './documents.js';

/**
 * Weighted rendezvous hashing (Schindelhauer and Schomaker, "Weighted Distributed Hash Tables", 2005): the owner of a
 * task is the node with the highest score -weight / ln(u), where u in (0, 1) is a hash of task and node.
 *
 * Hash of a text: cyrb53 (bryc, public domain) without its last step, two words of 32 bits. Hash of a pair: the words of
 * both, mixed by the finalizer of MurmurHash3, 53 bits. All nodes of a cluster must use the same: never change it.
 */
interface TextHash {
  readonly high: number;
  readonly low: number;
}

export const hashOfText = (text: string): TextHash => {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  return {
    high: Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909),
    low: Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909),
  };
};

const RANGE_21 = 0x20_0000;
const RANGE_53 = 0x20_0000_0000_0000;

/** Number in (0, 1) of a pair. */
export const drawOf = (task_high: number, task_low: number, node_high: number, node_low: number): number => {
  const first = murmurMix((task_high + node_high) | 0);
  const second = murmurMix(task_low ^ node_low ^ Math.imul(first, 0x9e3779b1));
  return ((second >>> 0) * RANGE_21 + (first >>> 11) + 0.5) / RANGE_53;
};

/** Whether a draw of one weight beats another. Equal weights need no logarithm. */
export const beats = (weight: number, draw: number, other_weight: number, other_draw: number): boolean =>
  weight === other_weight ? draw > other_draw : weight * Math.log(other_draw) < other_weight * Math.log(draw);

/** Whether a node has all labels. */
export const fitsNode = (wanted: Labels, labels: Labels): boolean =>
  Object.entries(wanted).every(([label, value]) => Object.hasOwn(labels, label) && labels[label] === value);
