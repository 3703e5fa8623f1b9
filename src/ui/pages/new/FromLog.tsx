import { Badge, Box, Button, Code, Fieldset, Group, Radio, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import type { LogTimesCandidate, LogTimesLine } from '../../../domain/preview.js';
import { ErrorNote } from '../../parts/notes.js';
import {
  CreateButtons,
  CreateError,
  type Creation,
  createDraft,
  type Goal,
  HalfDone,
  useCreate,
} from './creating.js';
import { fileNameOf, type LogChoice, logDraft, type TimingChoice } from './drafts.js';
import { NameField, RateForm, useTaken } from './fields.js';
import { LogPicker } from './LogPicker.js';
import { freeGeneratorName, nameFlaw, nameFromFile, obstacleOf } from './names.js';
import { OutputForm, useDestinationNames } from './OutputForm.js';
import { FIRST_OUTPUT, type OutputChoice, outputFlaws } from './outputs.js';
import { fileFlaw, SAMPLE_LENGTH, samplePartsOf, shareText, wholeLines } from './sample.js';
import { TimesForm, useCheck, useGuess, type WrittenTimes } from './TimesForm.js';

export interface PickedLog {
  readonly file: File;
  /** Its first lines. */
  readonly sample: string;
  /** The log is longer than the sample. */
  readonly isCut: boolean;
}

/** Choices that stay when another log is taken. */
export interface ReplayChoice {
  readonly events_per_second: number;
  readonly timing: TimingChoice;
  readonly repeat: boolean;
  readonly output: OutputChoice;
}

const FIRST: ReplayChoice = { events_per_second: 10, timing: 'even', repeat: true, output: FIRST_OUTPUT };

/** A log that is replayed with new timestamps. */
export const FromLog = () => {
  const [picked, setPicked] = useState<PickedLog | null>(null);
  const [pasted, setPasted] = useState('');
  const [choice, setChoice] = useState(FIRST);
  const [flaw, setFlaw] = useState<string | null>(null);
  const take = async (file: File): Promise<void> => {
    const part = file.slice(0, SAMPLE_LENGTH);
    const start = await part.text().catch(() => null);
    const found = start === null ? 'The file cannot be read. Choose it again.' : fileFlaw(file.size, start);
    setFlaw(found);
    if (found !== null || start === null) return;
    const sample = wholeLines(start, part.size === file.size);
    setPicked({ file, sample, isCut: part.size < file.size });
  };
  return (
    <Stack>
      <Text size="sm">
        Replays the lines of your log, one per event, with the present time in place of the old timestamps.
      </Text>
      {picked === null ? (
        <LogPicker
          onFile={(file) => void take(file)}
          flaw={flaw}
          pasted={pasted}
          onPasted={setPasted}
          help="Text in UTF-8 with one event per line, up to 64 MiB. It is uploaded when you create the generator."
        />
      ) : (
        <LogReplay
          key={`${picked.file.name} ${picked.file.size} ${picked.file.lastModified}`}
          log={picked}
          replay={choice}
          onReplay={setChoice}
          onOther={() => setPicked(null)}
        />
      )}
    </Stack>
  );
};

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
const LogReplay = ({ log: { file, sample, isCut }, replay, onReplay, onOther }: LogReplayProps) => {
  const taken = useTaken();
  const destinations = useDestinationNames();
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
  const name = typedName ?? freeGeneratorName(nameFromFile(file.name), taken);
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
    outputFlaws(replay.output, destinations),
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

/** The value, or the last one that there was. */
const useLastGood = <A,>(value: A | undefined): A | undefined => {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
};

interface LogLinesProps {
  readonly lines: readonly LogTimesLine[];
  /** Whether timestamps were searched for. */
  readonly isMarked: boolean;
}

/** Lines of a log with their timestamps marked. */
const LogLines = ({ lines, isMarked }: LogLinesProps) => (
  <Box component="section" className="log-lines" aria-label="Lines of the log" tabIndex={0}>
    {lines.map(({ number, text, start, end }) => (
      <div key={number} className={isMarked && start === null ? 'log-line unmatched' : 'log-line'}>
        <span className="log-number">{number}</span>
        <span className="log-text">
          {samplePartsOf(text, start, end).map((part) =>
            part.isMatch ? <mark key="match">{part.text}</mark> : part.text,
          )}
          {isMarked && start === null && (
            <Text component="span" size="xs" ms="sm" className="log-none">
              no timestamp
            </Text>
          )}
        </span>
      </div>
    ))}
  </Box>
);

interface GuessesProps {
  readonly candidates: readonly LogTimesCandidate[];
  readonly lines: number;
  /** The lines are the beginning of a longer log. */
  readonly isCut: boolean;
  /** The chosen pattern and format. Null when the lines stay unchanged. */
  readonly written: WrittenTimes | null;
  readonly onWritten: (written: WrittenTimes | null) => void;
}

const UNCHANGED = 'unchanged';
const OWN = 'own';

/** Where the timestamps may be: one is chosen. */
const Guesses = ({ candidates, lines, isCut, written, onWritten }: GuessesProps) => {
  const place = candidates.findIndex(
    (one) => one.timestamp_pattern === written?.pattern && one.timestamp_format === written.format,
  );
  const value = written === null ? UNCHANGED : place === -1 ? OWN : String(place);
  const choose = (chosen: string): void => {
    const candidate = candidates[Number(chosen)];
    if (candidate !== undefined)
      onWritten({ pattern: candidate.timestamp_pattern, format: candidate.timestamp_format });
    else if (chosen === UNCHANGED) onWritten(null);
    else onWritten({ pattern: written?.pattern ?? '(?P<timestamp>)', format: written?.format ?? '' });
  };
  return (
    <Radio.Group label="Which timestamp is the time of the event?" value={value} onChange={choose}>
      <Stack gap="xs" mt="xs">
        {candidates.map((one, index) => (
          <Radio
            key={one.timestamp_pattern}
            value={String(index)}
            label={
              <Group gap="xs" component="span">
                <Code className="wrapped">{one.example}</Code>
                <Badge variant="light" color={one.matched === lines ? 'teal' : 'gray'} component="span">
                  {shareText(one.matched, lines, isCut)}
                </Badge>
              </Group>
            }
            description={`${one.name}.`}
          />
        ))}
        <Radio value={OWN} label="Another one" description="Write the pattern and the format below." />
        <Radio
          value={UNCHANGED}
          label="None: leave the lines as they are"
          description="The events have the old timestamps of the log."
        />
      </Stack>
      {candidates.length === 0 && (
        <Text size="sm" mt="xs">
          No timestamp of a known kind is in these lines.
        </Text>
      )}
    </Radio.Group>
  );
};
