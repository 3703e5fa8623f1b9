import './pipeline.css';
import { Badge, Group, Paper, Text } from '@mantine/core';
import { counted, shownBytes, shownCount, shownMs, shownRate, shownShort } from '../../../parts/numbers.js';
import type { PartKey } from './parts.js';
import type { Box, OutputBox, Picture, Pressure } from './picture.js';

interface NodeProps {
  readonly kind: string;
  readonly box: Box;
  readonly isFailed: boolean;
  readonly isSlow: boolean;
}

/** A plugin with what went wrong in it. */
const Node = ({ kind, box, isFailed, isSlow }: NodeProps) => (
  <Paper withBorder className={`node${isFailed ? ' failed' : ''}${isSlow ? ' slow' : ''}`}>
    <Text size="xs" c="dimmed">
      {kind}
    </Text>
    <Text fw={600}>{box.plugin}</Text>
    {box.detail !== '' && (
      <Text size="xs" className="detail" title={box.detail}>
        {box.detail}
      </Text>
    )}
    <Group gap={4} mt={isFailed || isSlow || box.troubles.length > 0 ? 4 : 0}>
      {isFailed && (
        <Badge size="sm" tt="none" color="red" variant="light" autoContrast>
          failed
        </Badge>
      )}
      {isSlow && (
        <Badge size="sm" tt="none" color="orange" variant="light" autoContrast>
          slow
        </Badge>
      )}
      {box.troubles.map(({ count, what, isLoss }) => (
        <Badge key={what} size="sm" tt="none" color={isLoss ? 'red' : 'orange'} variant="light" autoContrast>
          {shownShort(count)} {what}
        </Badge>
      ))}
    </Group>
    {box.notes.map(({ count, what }) => (
      <Text size="xs" key={what}>
        {shownCount(count)} {what}
      </Text>
    ))}
  </Paper>
);

interface EdgeProps {
  readonly rate: number;
  readonly count: number;
  readonly more?: string;
  readonly isSlow?: boolean;
}

/** A line with what flows over it. */
const Edge = ({ rate, count, more, isSlow = false }: EdgeProps) => (
  <div className={`edge${isSlow ? ' slow' : ''}`}>
    <Text size="sm" fw={600} className="figure">
      {shownRate(rate)}/s
    </Text>
    <div className="line" aria-hidden="true" />
    <Text size="xs" className="figure" title={shownCount(count)}>
      {shownShort(count)}
    </Text>
    {more !== undefined && (
      <Text size="xs" className="figure">
        {more}
      </Text>
    )}
  </div>
);

const Formatter = ({ name }: { readonly name: string }) => (
  <Paper withBorder className="node formatter">
    <Text size="xs" c="dimmed">
      formatter
    </Text>
    <Text size="sm" fw={600}>
      {name}
    </Text>
  </Paper>
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

interface PipelineProps {
  readonly picture: Picture;
  readonly pressure: Pressure | null;
  readonly failed: PartKey | null;
}

const OutputBranch = ({
  box,
  isFailed,
  isSlow,
}: {
  readonly box: OutputBox;
  readonly isFailed: boolean;
  readonly isSlow: boolean;
}) => (
  <li className="branch">
    {box.formatter !== '' && <Formatter name={box.formatter} />}
    <Edge rate={box.rate} count={box.count} more={shownBytes(box.bytes)} isSlow={isSlow} />
    <Node kind="output" box={box} isFailed={isFailed} isSlow={isSlow} />
  </li>
);

/** Inputs, event, formatters and outputs, with what flows between them. */
export const PipelinePicture = ({ picture, pressure, failed }: PipelineProps) => {
  const { inputs, event, outputs, generated } = picture;
  const slow = pressure?.slow ?? null;
  const isSlow = (key: PartKey): boolean => slow === key || (slow === 'outputs' && key.startsWith('output'));
  const said = pressure === null ? null : slowText(pressure, picture);
  return (
    <section aria-label="Pipeline">
      <div className="pipeline">
        <ul className={`stage${inputs.length > 1 ? ' inputs' : ''}`} aria-label="Inputs">
          {inputs.map((box) => (
            <li key={box.key} className="branch">
              <Node kind="input" box={box} isFailed={failed === box.key} isSlow={false} />
              {inputs.length > 1 && <Edge rate={box.rate} count={box.count} />}
            </li>
          ))}
          {generated.removed > 0 && (
            <Text component="li" size="xs">
              {shownCount(generated.removed)} of former inputs
            </Text>
          )}
        </ul>
        <Edge rate={generated.rate} count={generated.count} />
        <div className="stage">
          <Node kind="event" box={event} isFailed={failed === 'event'} isSlow={isSlow('event')} />
        </div>
        <Edge
          rate={event.rate}
          count={event.count}
          isSlow={slow !== null && slow !== 'event'}
          {...(pressure === null ? {} : { more: `${counted(pressure.queued, 'batch', 'batches')} waiting` })}
        />
        <ul className="stage outputs" aria-label="Outputs">
          {outputs.map((box) => (
            <OutputBranch key={box.key} box={box} isFailed={failed === box.key} isSlow={isSlow(box.key)} />
          ))}
        </ul>
      </div>
      {said !== null && (
        <Text size="sm" mt="xs" role="status">
          {said}
        </Text>
      )}
    </section>
  );
};
