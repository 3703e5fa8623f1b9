import './pipeline.css';
import { type CSSProperties, type ReactNode, useId, useState } from 'react';
import { counted, shownBytes, shownCount, shownMs, shownRate, shownShort } from '../../../parts/numbers.js';
import {
  BAR_HEIGHT,
  COLUMNS,
  type Curve,
  eventHeight,
  layoutOf,
  NODE_HEIGHT,
  noteLines,
  type Side,
  type SideGroup,
  shownTrouble,
  sideOf,
  type Tone,
  toneOfGroup,
} from './layout.js';
import type { PartKey } from './parts.js';
import type { Box, EventBox, OutputBox, Picture, Pressure, TemplateBar, Trouble } from './picture.js';

/** Plain elements: the picture changes each second, and components of the kit cost most of it. */
const Mark = ({ color, children }: { readonly color: string; readonly children: ReactNode }) => (
  <span
    className="mark"
    style={{
      background: `var(--mantine-color-${color}-light)`,
      color: `var(--mantine-color-${color}-light-color)`,
    }}
  >
    {children}
  </span>
);

const TroubleMark = ({ count, what, isLoss }: Trouble) => (
  <Mark color={isLoss ? 'red' : 'orange'}>
    {shownShort(count)} {what}
  </Mark>
);

interface FaceProps {
  /** What the node is: its kind in small letters, and its name. */
  readonly kind: string;
  readonly name: string;
  readonly label?: string;
  readonly detail: string;
  readonly rate: number;
  readonly count: number;
  readonly bytes?: number;
  readonly tone: Tone;
  readonly states: readonly string[];
  readonly trouble: Trouble | null;
}

const STATE_COLORS = { ok: 'gray', slow: 'orange', failed: 'red' } as const;

/** What is written on a node, in two lines. */
const Face = ({ kind, name, label = '', detail, rate, count, bytes, tone, states, trouble }: FaceProps) => (
  <>
    <span className="face upper">
      <span className="dot" aria-hidden="true" />
      {kind !== '' && <span className="kind">{kind}</span>} <strong>{name}</strong>{' '}
      {states.map((state) => (
        <Mark key={state} color={STATE_COLORS[tone]}>
          {state}
        </Mark>
      ))}
      <span className="amount">{shownRate(rate)}/s</span>
    </span>
    <span className="face lower">
      {label !== '' && <span className="label">{label}</span>}{' '}
      {trouble !== null && <TroubleMark {...trouble} />}{' '}
      <span className="detail" title={detail}>
        {detail}
      </span>
      <span className="amount" title={shownCount(count)}>
        {shownShort(count)}
        {bytes !== undefined && <>, {shownBytes(bytes)}</>}
      </span>
    </span>
  </>
);

interface NodeProps {
  readonly kind: string;
  readonly box: Box | OutputBox;
  readonly tone: Tone;
  readonly isAwake: boolean;
  readonly children?: ReactNode;
}

/** Health of a node: its trouble counts, too. */
const healthOf = (tone: Tone, trouble: Trouble | null, isAwake: boolean): string => {
  if (tone !== 'ok') return tone;
  if (trouble !== null) return trouble.isLoss ? 'failed' : 'slow';
  return isAwake ? 'ok' : 'idle';
};

const Node = ({ kind, box, tone, isAwake, children }: NodeProps) => {
  const trouble = shownTrouble(box);
  return (
    <div className="node" data-tone={tone} data-health={healthOf(tone, trouble, isAwake)}>
      <Face
        {...{ kind, tone, trouble }}
        name={box.plugin}
        detail={box.detail}
        rate={box.rate}
        count={box.count}
        states={tone === 'ok' ? [] : [tone]}
        {...('formatter' in box ? { label: box.formatter, bytes: box.bytes } : {})}
      />
      {children}
    </div>
  );
};

const statesOf = ({ failed, slow }: SideGroup): readonly string[] => [
  ...(failed > 0 ? [`${failed} failed`] : []),
  ...(slow > 0 ? [`${slow} slow`] : []),
];

interface GroupProps {
  readonly group: SideGroup;
  readonly isOutput: boolean;
  readonly isAwake: boolean;
  readonly isOpen: boolean;
  readonly list: string;
  readonly onToggle: () => void;
}

/** All nodes of a side as one, which opens the list of them. */
const Group = ({ group, isOutput, isAwake, isOpen, list, onToggle }: GroupProps) => {
  const tone = toneOfGroup(group);
  const trouble = shownTrouble(group);
  return (
    <button
      type="button"
      className="node"
      data-tone={tone}
      data-health={healthOf(tone, trouble, isAwake)}
      aria-expanded={isOpen}
      {...(isOpen ? { 'aria-controls': list } : {})}
      onClick={onToggle}
    >
      <Face
        {...{ tone, trouble }}
        kind=""
        name={group.title}
        detail={group.detail}
        rate={group.rate}
        count={group.count}
        states={statesOf(group)}
        {...(isOutput ? { bytes: group.bytes } : {})}
      />
    </button>
  );
};

const percent = (share: number): string => `${Math.round(share * 100)} %`;

const Bar = ({ name, count, share, rate }: TemplateBar) => (
  <li title={`${name}: ${shownCount(count)}`}>
    <span className="name">{name}</span>
    <span className="bar" aria-hidden="true">
      <span style={{ width: `${share * 100}%` }} />
    </span>
    <span className="share">{percent(share)}</span>
    <span className="amount">{shownRate(rate)}/s</span>
  </li>
);

const Templates = ({ templates, others }: Pick<EventBox, 'templates' | 'others'>) => (
  <ul className="templates" aria-label="Events by template">
    {templates.map((one) => (
      <Bar key={one.name} {...one} />
    ))}
    {others !== null && (
      <li>
        <span className="name">and {others.count} more</span>
        <span className="share">{percent(others.share)}</span>
        <span className="amount" />
      </li>
    )}
  </ul>
);

/** Batches in flight to the outputs, of those that may be. */
const Queue = ({ pressure }: { readonly pressure: Pressure | null }) => {
  const { queued = 0, room = 1, slow = null } = pressure ?? {};
  // Outputs that collect events for larger writes hold many batches without being late.
  const isStuck = queued >= room && slow !== null;
  return (
    <div
      className="queue"
      data-stuck={isStuck}
      title={pressure === null ? '' : `queue.max_event_batches is ${room}`}
    >
      <span>{pressure === null ? 'queue' : counted(queued, 'batch', 'batches')}</span>
      <span className="bar" aria-hidden="true">
        <span style={{ width: `${Math.min(1, queued / room) * 100}%` }} />
      </span>
      <span>{pressure === null ? '' : 'waiting'}</span>
    </div>
  );
};

/** Lines whose width and speed tell the rate; the nodes have it in words. */
const Curves = ({ curves, height }: { readonly curves: readonly Curve[]; readonly height: number }) => (
  <svg
    className="curves"
    viewBox={`0 0 100 ${height}`}
    preserveAspectRatio="none"
    height={height}
    aria-hidden="true"
  >
    {curves.map(({ key, path, width, pace, tone }) => (
      <g key={key} data-tone={tone} data-pace={pace}>
        <path d={path} strokeWidth={width} />
        {pace > 0 && <path className="dashes" d={path} strokeWidth={Math.max(2, width * 0.6)} />}
      </g>
    ))}
  </svg>
);

const slowText = ({ slow, late_ms }: Pressure, { outputs }: Picture): string | null => {
  if (slow === null) return null;
  const output = outputs.find(({ key }) => key === slow);
  const part =
    output === undefined
      ? `the ${slow === 'event' ? 'event plugin' : 'outputs'}`
      : `the output ${output.plugin}`;
  return `Events are up to ${shownMs(late_ms)} late: ${part} cannot keep up with the schedule.`;
};

interface SideProps {
  readonly name: 'input' | 'output';
  readonly side: Side<Box>;
  readonly toneOf: (key: PartKey) => Tone;
  readonly isAwake: boolean;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** The nodes of a side, or one for all of them and, once it is open, their list. */
const Ends = ({ name, side: { boxes, group }, toneOf, isAwake, isOpen, onToggle }: SideProps) => {
  const list = useId();
  const label = name === 'input' ? 'Inputs' : 'Outputs';
  const nodes = boxes.map((box) => (
    <li key={box.key}>
      <Node kind={name} box={box} tone={toneOf(box.key)} isAwake={isAwake} />
    </li>
  ));
  if (group === null)
    return (
      <ul className={`side ${name}s`} aria-label={label}>
        {nodes}
      </ul>
    );
  return (
    <>
      <div className={`side ${name}s`}>
        <Group {...{ group, isAwake, isOpen, list, onToggle }} isOutput={name === 'output'} />
      </div>
      {isOpen && (
        <ul className="opened" id={list} aria-label={label}>
          {nodes}
        </ul>
      )}
    </>
  );
};

interface PipelineProps {
  readonly picture: Picture;
  readonly pressure: Pressure | null;
  readonly failed: PartKey | null;
}

const GRID: CSSProperties & Record<`--${string}`, string> = {
  '--columns': COLUMNS.map((width) => `${width}%`).join(' '),
  '--node': `${NODE_HEIGHT}px`,
  '--bar': `${BAR_HEIGHT}px`,
};

/** Inputs, event plugin, queue and outputs, with what flows between them. */
export const PipelinePicture = ({ picture, pressure, failed }: PipelineProps) => {
  const [open, setOpen] = useState({ inputs: false, outputs: false });
  const slow = pressure?.slow ?? null;
  const toneOf = (key: PartKey): Tone => {
    if (failed === key) return 'failed';
    return slow === key || (slow === 'outputs' && key.startsWith('output')) ? 'slow' : 'ok';
  };
  const inputs = { ...sideOf(picture.inputs, 'input', toneOf), isOpen: open.inputs };
  const outputs = { ...sideOf(picture.outputs, 'output', toneOf), isOpen: open.outputs };
  const { height, curves } = layoutOf(picture, inputs, outputs, toneOf);
  const said = pressure === null ? null : slowText(pressure, picture);
  const lines = noteLines(picture, inputs, outputs);
  const { event } = picture;
  const isAwake = pressure !== null;
  return (
    <section aria-label="Pipeline" className="pipeline-frame" style={GRID}>
      <div className="pipeline" style={{ gridTemplateRows: `${height}px` }}>
        <Curves curves={curves} height={height} />
        <Ends
          {...{ toneOf, isAwake }}
          name="input"
          side={inputs}
          isOpen={open.inputs}
          onToggle={() => setOpen({ ...open, inputs: !open.inputs })}
        />
        <div className="side event" style={{ '--event': `${eventHeight(event)}px` } as CSSProperties}>
          <Node kind="event" box={event} tone={toneOf('event')} isAwake={isAwake}>
            {event.templates.length > 0 && <Templates {...event} />}
          </Node>
        </div>
        <Queue pressure={pressure} />
        <Ends
          {...{ toneOf, isAwake }}
          name="output"
          side={outputs}
          isOpen={open.outputs}
          onToggle={() => setOpen({ ...open, outputs: !open.outputs })}
        />
      </div>
      {lines.map(({ key, name, notes }) => (
        <p key={key} className="notes">
          {name}: {notes.map(({ count, what }) => `${shownCount(count)} ${what}`).join(', ')}
        </p>
      ))}
      {said !== null && (
        <p className="late" role="status">
          {said}
        </p>
      )}
    </section>
  );
};
