import { Button, Group, Text, TextInput, Tooltip } from '@mantine/core';
import * as E from 'fp-ts/lib/Either.js';
import { type FormEvent, type MouseEvent, memo, useMemo, useState } from 'react';
import type { IncidentMoment } from '../../../messages/incidents.js';
import { Needs } from '../../app/role.js';
import { shownCount } from '../../parts/numbers.js';
import {
  type Bar as Drawn,
  jumpTo,
  lanesOf,
  MAX_BARS,
  type MemberLane,
  pointedAt,
  positionPercent,
  ticksOf,
} from './lanes.js';
import { effectTexts, incidentTitleOf, momentText, positionText, spanText } from './position.js';

interface TimelineProps {
  readonly timeline: readonly IncidentMoment[];
  readonly duration: number;
  /** Seconds after the start; `null` while idle. */
  readonly position: number | null;
  readonly current: string;
  /** Made and expected events by phase. */
  readonly counts: ReadonlyMap<string, string>;
  readonly onJump: (seconds: number) => void;
}

/** A lane per phase over the time of the incident, and a line at its position. */
export const IncidentTimeline = ({
  timeline,
  duration,
  position,
  current,
  counts,
  onJump,
}: TimelineProps) => {
  const lanes = useMemo(() => lanesOf(timeline), [timeline]);
  const jump = position === null ? null : onJump;
  return (
    <>
      <div className="incident-time">
        <ul className="incident-time-lanes" aria-label="Phases over time">
          {lanes.map((lane) => (
            <LaneRow
              key={lane.phase}
              lane={lane}
              duration={duration}
              current={current}
              events={counts.get(lane.phase) ?? ''}
              onJump={jump}
            />
          ))}
        </ul>
        <Axis duration={duration} />
        <div className="incident-time-over">
          {jump !== null && <Pointed duration={duration} onJump={jump} />}
          {position !== null && (
            <div
              className="incident-time-now"
              role="img"
              aria-label={`Position ${positionText(position)}`}
              style={{ left: positionPercent(position, duration) }}
            />
          )}
        </div>
      </div>
      {timeline.length > MAX_BARS && (
        <Text size="sm">The first {shownCount(MAX_BARS)} occurrences of phases are drawn.</Text>
      )}
    </>
  );
};

type Jump = ((seconds: number) => void) | null;

interface LaneProps {
  readonly lane: MemberLane;
  readonly duration: number;
  /** Indices of the current phases, joined. */
  readonly current: string;
  readonly events: string;
  readonly onJump: Jump;
}

const LaneRow = memo(({ lane, duration, current, events, onJump }: LaneProps) => {
  const now = new Set(current.split(','));
  const isNow = ({ index }: Drawn): boolean => now.has(String(index));
  return (
    <li className="incident-time-lane">
      <Text
        size="sm"
        className="incident-time-name"
        title={lane.phase}
        fw={lane.bars.some(isNow) ? 700 : 400}
      >
        {lane.phase}
        <Text span size="xs" c="dimmed" className="figure" title="Events made, of those expected">
          {' '}
          {events}
        </Text>
      </Text>
      <div className="incident-time-track">
        {lane.bars.map((bar) => (
          <Bar
            key={bar.index}
            moment={bar.moment}
            duration={duration}
            isCurrent={isNow(bar)}
            onJump={onJump}
          />
        ))}
      </div>
    </li>
  );
});

interface BarProps {
  readonly moment: IncidentMoment;
  readonly duration: number;
  readonly isCurrent: boolean;
  /** Jumps to a time of the incident. Null when nothing is under way. */
  readonly onJump: Jump;
}

/** One occurrence of a phase. The table has the same for the keyboard. */
const Bar = ({ moment, duration, isCurrent, onJump }: BarProps) => {
  const lines = [`${incidentTitleOf(moment)}, ${spanText(moment)}`, ...effectTexts(moment)];
  const look = {
    className: 'incident-time-bar',
    style: {
      left: positionPercent(moment.from, duration),
      width: positionPercent(moment.to - moment.from, duration),
    },
    ...(isCurrent ? { 'data-current': true } : {}),
  };
  const label = `${lines.join('; ')}${isCurrent ? '; now' : ''}`;
  return (
    <Tooltip label={lines.join('\n')} multiline className="incident-time-tip">
      {onJump === null ? (
        <div {...look} role="img" aria-label={label} />
      ) : (
        <button
          {...look}
          type="button"
          tabIndex={-1}
          aria-label={`Jump to ${label}`}
          onClick={() => onJump(moment.from)}
        />
      )}
    </Tooltip>
  );
};

const Axis = ({ duration }: { readonly duration: number }) => (
  <div className="incident-time-axis" aria-hidden="true">
    {ticksOf(duration).map((at) => (
      <span key={at} className="incident-time-tick" style={{ left: positionPercent(at, duration) }}>
        {momentText(at)}
      </span>
    ))}
    <span className="incident-time-tick incident-time-end">{momentText(duration)}</span>
  </div>
);

/** Jumps to where the pointer is. */
const Pointed = ({
  duration,
  onJump,
}: {
  readonly duration: number;
  readonly onJump: (seconds: number) => void;
}) => {
  const [at, setAt] = useState(0);
  const timeAt = ({ clientX, currentTarget }: MouseEvent): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return pointedAt((clientX - left) / width, duration);
  };
  return (
    <Tooltip.Floating label={`Jump to ${momentText(at)}`}>
      <button
        type="button"
        className="incident-time-pointed"
        tabIndex={-1}
        aria-hidden="true"
        // What is hidden must not have the focus.
        onMouseDown={(event) => event.preventDefault()}
        onMouseMove={(event) => setAt(timeAt(event))}
        onClick={(event) => onJump(timeAt(event))}
      />
    </Tooltip.Floating>
  );
};

interface JumpFormProps {
  readonly duration: number;
  readonly onJump: (seconds: number) => void;
}

/** Jumps to a time, without a mouse. */
export const JumpForm = ({ duration, onJump }: JumpFormProps) => {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const jump = (event: FormEvent): void => {
    event.preventDefault();
    const to = jumpTo(text, duration);
    setError(E.isLeft(to) ? to.left : null);
    if (E.isRight(to)) onJump(to.right);
  };
  return (
    <form onSubmit={jump}>
      <Group gap="xs" align="flex-start">
        <TextInput
          aria-label="Jump to a time"
          placeholder="8m or 08:00"
          size="xs"
          w={140}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={error}
        />
        <Needs to="jumpInIncident">
          <Button type="submit" variant="default" size="xs">
            Jump to time
          </Button>
        </Needs>
      </Group>
    </form>
  );
};
