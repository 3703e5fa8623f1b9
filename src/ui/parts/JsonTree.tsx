import './jsonTree.css';
import type { Json } from '../../domain/json.js';

/** Levels that are open at first. */
const OPEN_LEVELS = 2;

const kindOf = (value: Json): string => (value === null ? 'null' : typeof value);

const sizeText = (value: object): string => {
  const size = Object.keys(value).length;
  return Array.isArray(value) ? `[${size}]` : `{${size}}`;
};

interface TreeProps {
  readonly value: Json;
  readonly name?: string;
  readonly level?: number;
}

/** A JSON value as a tree; objects and lists fold. */
export const JsonTree = ({ value, name, level = 0 }: TreeProps) => {
  const key = name === undefined ? null : <span className="json-key">{name}: </span>;
  if (value === null || typeof value !== 'object')
    return (
      <div className="json-leaf">
        {key}
        <span className={`json-${kindOf(value)}`}>{JSON.stringify(value)}</span>
      </div>
    );
  const entries = Object.entries(value as Readonly<Record<string, Json>>);
  if (level === 0 && name === undefined)
    return (
      <div className="json">
        {entries.map(([child, one]) => (
          <JsonTree key={child} name={child} value={one} level={level + 1} />
        ))}
      </div>
    );
  return (
    <details open={level < OPEN_LEVELS} className="json-node">
      <summary>
        {key}
        {sizeText(value)}
      </summary>
      <div className="json-children">
        {entries.map(([child, one]) => (
          <JsonTree key={child} name={child} value={one} level={level + 1} />
        ))}
      </div>
    </details>
  );
};
