import { Button, Fieldset, Group, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { ErrorNote } from '../../parts/ErrorNote.js';
import { CreateButtons } from './CreateButtons.js';
import { CreateError } from './CreateError.js';
import { fileNameOf, type LogChoice, logDraft } from './drafts.js';
import type { PickedLog, ReplayChoice } from './FromLog.js';
import { Guesses } from './Guesses.js';
import { LogLines } from './LogLines.js';
import { createDraft, type Goal, HalfDone } from './launch.js';
import { NameField } from './NameField.js';
import { freeName, nameFlaw, nameFromFile, obstacleOf } from './names.js';
import { OutputForm } from './OutputForm.js';
import { outputFlaws } from './outputs.js';
import { RateForm } from './RateForm.js';
import { TimesForm } from './TimesForm.js';
import { type Creation, useCreate } from './useCreate.js';
import { useLastGood } from './useLastGood.js';
import { useCheck, useGuess, type WrittenTimes } from './useLogTimes.js';
import { useTaken } from './useTaken.js';

interface LogReplayProps {
  readonly log: PickedLog;
  readonly replay: ReplayChoice;
  readonly onReplay: (replay: ReplayChoice) => void;
  readonly onOther: () => void;
}

const plainLines = (sample: string) =>
  sample
    .split(/\r?\n/)
    .map((text, index) => ({ number: index + 1, text: text.slice(0, 1_000), start: null, end: null }))
    .filter(({ text }) => text.trim() !== '')
    .slice(0, 20);

/** Finds the timestamps of a picked log, lets them be corrected, and creates the generator. */
export const LogReplay = ({ log: { file, sample, isCut }, replay, onReplay, onOther }: LogReplayProps) => {
  const taken = useTaken();
  const guess = useGuess(sample);
  const [edited, setEdited] = useState<WrittenTimes | null | undefined>(undefined);
  const [typedName, setName] = useState<string | null>(null);
  const best = guess.data?.candidates[0];
  const guessed =
    best === undefined ? null : { pattern: best.timestamp_pattern, format: best.timestamp_format };
  const written = edited === undefined ? guessed : edited;
  const check = useCheck(sample, edited ?? null);
  const times = edited === undefined ? guess.data : check.data;
  // Half a pattern has no matches: the last ones stay while it is typed.
  const checked = useLastGood(times?.checked ?? undefined);
  const name = typedName ?? freeName(nameFromFile(file.name), taken);
  const hasFlaws = (times?.flaws.length ?? 0) > 0;
  const isUsable =
    written === null ||
    (check.error === null && !hasFlaws && written.pattern !== '' && written.format !== '');
  const choice: LogChoice = {
    name,
    ...replay,
    file: { name: fileNameOf(file.name), content: file },
    times: written,
  };
  const creating = useCreate(({ goal }: Creation) => createDraft(logDraft(choice), goal));
  const obstacle = obstacleOf(
    nameFlaw(name, taken),
    outputFlaws(replay.output),
    isUsable ? null : 'Correct the pattern and the format.',
  );
  const create = (goal: Goal): void => {
    if (obstacle === null) creating.mutate({ name, goal });
  };
  return (
    <Stack>
      <Group justify="space-between">
        <Text fw={600} className="wrapped">
          {file.name} ({Math.max(1, Math.round(file.size / 1_000)).toLocaleString('en-US')} KB)
        </Text>
        <Button variant="default" size="compact-sm" onClick={onOther}>
          Choose another log
        </Button>
      </Group>
      {guess.isPending && (
        <Text size="sm" role="status">
          Searching for timestamps…
        </Text>
      )}
      {guess.isError && <ErrorNote title="The timestamps cannot be guessed" error={guess.error} />}
      {!guess.isPending && (
        <Guesses
          candidates={guess.data?.candidates ?? []}
          lines={guess.data?.lines ?? 0}
          isCut={isCut}
          written={written}
          onWritten={setEdited}
        />
      )}
      {written !== null && (
        <TimesForm written={written} onWritten={setEdited} times={times} isCut={isCut} error={check.error} />
      )}
      <LogLines
        lines={written === null ? plainLines(sample) : (checked?.lines ?? plainLines(sample))}
        isMarked={written !== null && checked !== undefined}
      />
      <Fieldset legend="When events come">
        <RateForm rate={replay} onRate={(rate) => onReplay({ ...replay, ...rate })} />
        <Switch
          mt="md"
          label="Start over after the last line"
          checked={replay.repeat}
          onChange={(event) => onReplay({ ...replay, repeat: event.currentTarget.checked })}
        />
      </Fieldset>
      <Fieldset legend="Where events go">
        <OutputForm
          output={replay.output}
          onOutput={(output) => onReplay({ ...replay, output })}
          rows="lines"
        />
      </Fieldset>
      <NameField
        name={name}
        taken={taken}
        onName={setName}
        isStrict
        isDone={creating.error instanceof HalfDone}
      />
      <CreateError error={creating.error} />
      <CreateButtons
        onCreate={create}
        pending={creating.isPending ? creating.variables.goal : null}
        error={creating.error}
        obstacle={obstacle}
      />
    </Stack>
  );
};
