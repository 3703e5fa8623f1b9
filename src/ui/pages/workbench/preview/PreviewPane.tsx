import { Alert, Group, Tabs, Text } from '@mantine/core';
import { memo, useEffect, useMemo, useState } from 'react';
import type { JsonObject } from '../../../../domain/json.js';
import { VIEWS, type View } from '../address.js';
import type { CheckedConfig } from '../configCheck.js';
import { type FileProblem, namedPlace, problemsOf } from '../problemPlaces.js';
import { EventList } from './EventList.js';
import { ParamsPanel } from './ParamsPanel.js';
import { Places } from './Places.js';
import { StatePanel } from './StatePanel.js';
import { TimelinePanel } from './TimelinePanel.js';
import { useEvents } from './useEvents.js';
import { useNextTimestamps } from './useTimeline.js';

export interface PreviewPaneProps {
  readonly name: string;
  readonly checked: CheckedConfig;
  readonly zone: string | null;
  readonly revision: number;
  readonly view: View;
  readonly onView: (view: View) => void;
  readonly params: JsonObject;
  readonly onParams: (params: JsonObject) => void;
  readonly configPath: string;
  readonly onProblems: (problems: readonly FileProblem[]) => void;
  readonly onGo: (problem: FileProblem) => void;
  /** Unsaved texts of files. */
  readonly files: Readonly<Record<string, string>>;
  /** Files with unsaved changes that the preview does not see. */
  readonly unseen: readonly string[];
}

const LABELS: Readonly<Record<View, string>> = { events: 'Events', timeline: 'Timeline', state: 'State' };

/** What the config on the left makes, while it is typed. */
export const PreviewPane = memo((props: PreviewPaneProps) => {
  const {
    name,
    checked,
    zone,
    revision,
    view,
    onView,
    params,
    onParams,
    files,
    unseen,
    configPath,
    onProblems,
    onGo,
  } = props;
  const [round, setRound] = useState(0);
  const [output, setOutput] = useState(0);
  const source = { name, inputs: checked.inputs, zone, round };
  const next = useNextTimestamps(source);
  const formatter = checked.formatters[output] ?? checked.formatters[0] ?? null;
  const events = useEvents({
    name,
    event: checked.event,
    stamps: next.data?.stamps ?? null,
    formatter: formatter?.config ?? null,
    zone,
    files,
    revision: revision + round,
  });
  const problems = useMemo(() => {
    const { locate } = checked;
    const failures = (events.run?.failures ?? []).flatMap((text) => namedPlace(text) ?? []);
    return [
      ...problemsOf(next.error, { key: 'input', path: configPath, locate }),
      ...problemsOf(events.error, { key: 'event', path: configPath, locate }),
      ...(events.error === null ? failures : []),
    ];
  }, [checked, next.error, events.error, events.run, configPath]);
  const broken =
    checked.inputs === null || checked.event === null
      ? checked.problems.find(({ severity }) => severity === 'error')
      : undefined;
  useEffect(() => onProblems(problems), [problems, onProblems]);
  return (
    <Tabs
      value={view}
      onChange={(value) => onView(VIEWS.find((one) => one === value) ?? 'events')}
      className="preview"
      keepMounted={false}
    >
      <Group justify="space-between" gap="xs" className="pane-head" px="xs">
        <Group gap="xs">
          <Tabs.List>
            {VIEWS.map((one) => (
              <Tabs.Tab key={one} value={one} px="xs">
                {LABELS[one]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Group>
        <ParamsPanel params={checked.params} values={params} onValues={onParams} missing={checked.missing} />
      </Group>
      <div className="pane-body padded">
        {broken !== undefined && (
          <Alert color="red" p="xs" mb="xs" role="status">
            <Text size="sm" mb="xs" className="wrapped">
              {broken.message}
            </Text>
            <Places problems={[{ ...broken, path: configPath }]} onGo={onGo} />
            <Text size="sm" mt="xs">
              Below is the last good preview.
            </Text>
          </Alert>
        )}
        {unseen.length > 0 && (
          <Text size="sm" mb="xs" role="status">
            The preview uses the saved text of {unseen.join(', ')}. Save to see your changes.
          </Text>
        )}
        <Tabs.Panel value="events">
          <EventList
            {...events}
            error={events.error ?? next.error}
            problems={problems}
            onGo={onGo}
            areSteady={next.data?.areSteady ?? false}
            formatters={checked.formatters}
            formatter={formatter === null ? 0 : checked.formatters.indexOf(formatter)}
            onFormatter={setOutput}
            onStep={events.step}
            onAgain={() => setRound((former) => former + 1)}
          />
        </Tabs.Panel>
        <Tabs.Panel value="timeline">
          <TimelinePanel source={source} />
        </Tabs.Panel>
        <Tabs.Panel value="state">
          <StatePanel name={name} event={checked.event} made={events.run?.made ?? 0} onStep={events.step} />
        </Tabs.Panel>
      </div>
    </Tabs>
  );
});
