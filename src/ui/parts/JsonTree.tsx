import './jsonTree.css';
import type { ReactNode } from 'react';
import type { Json } from '../../domain/json.js';

/** Levels that are open at first. */
const OPEN_LEVELS = 2;

const kindOf = (value: Json): string => (value === null ? 'null' : typeof value);

const sizeText = (value: object): string => {
  const size = Object.keys(value).length;
  return Array.isArray(value) ? `[${size}]` : `{${size}}`;
};

/** A scalar in a tree. */
export interface JsonLeaf {
  /** Keys from the root, joined by dots; positions in lists are left out. */
  readonly path: string;
  readonly value: Json;
}

interface TreeProps {
  readonly value: Json;
  /** Draws a scalar; `shown` is how it looks by itself. */
  readonly leaf?: (leaf: JsonLeaf, shown: ReactNode) => ReactNode;
}

/** A JSON value as a tree; objects and lists fold. */
export const JsonTree = ({ value, leaf = (_, shown) => shown }: TreeProps) =>
  value === null || typeof value !== 'object' ? (
    <Node value={value} leaf={leaf} path="" level={0} name={null} />
  ) : (
    <div className="json">
      <Children value={value} leaf={leaf} path="" level={0} />
    </div>
  );

type Parent = Readonly<Record<string, Json>> | readonly Json[];

interface NodeProps<A> extends Required<TreeProps> {
  readonly value: A & Json;
  readonly path: string;
  readonly level: number;
}

const Children = ({ value, leaf, path, level }: NodeProps<Parent>) =>
  Object.entries(value).map(([name, one]) => {
    const below = Array.isArray(value) ? path : path === '' ? name : `${path}.${name}`;
    return <Node key={name} name={name} value={one} leaf={leaf} path={below} level={level + 1} />;
  });

const Node = ({ value, leaf, path, level, name }: NodeProps<Json> & { readonly name: string | null }) => {
  const key = name === null ? null : <span className="json-key">{name}: </span>;
  if (value === null || typeof value !== 'object')
    return (
      <div className="json-leaf">
        {key}
        {leaf({ path, value }, <span className={`json-${kindOf(value)}`}>{JSON.stringify(value)}</span>)}
      </div>
    );
  return (
    <details open={level < OPEN_LEVELS} className="json-node">
      <summary>
        {key}
        {sizeText(value)}
      </summary>
      <div className="json-children">
        <Children value={value} leaf={leaf} path={path} level={level} />
      </div>
    </details>
  );
};
