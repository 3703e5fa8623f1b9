import { Alert, Button, Group, Loader, Modal, Stack, Text } from '@mantine/core';
import { CircleCheck, RefreshCw, Send, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useDeadLetterList } from '../../parts/deadLetterList.js';
import { ErrorNote } from '../../parts/notes.js';
import { DeadLetterPanel } from './DeadLetterPanel.js';
import {
  countedDeadLetters,
  NOTHING_SENT,
  newestOf,
  resendAll,
  type SentDeadLetters,
  sentSentence,
} from './deadLetterTexts.js';
import './deadLetters.css';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.js';
import { Needs } from '../../app/role.js';
import { useGeneratorZone } from './data.js';

/** The output whose letters are shown, in the address. */
const useShownOutput = (): readonly [string | null, (output: string | null) => void] => {
  const [search, setSearch] = useSearchParams();
  const show = (output: string | null): void =>
    setSearch(
      (before) => {
        before.delete('letter-page');
        if (output === null) before.delete('letters');
        else before.set('letters', output);
        return before;
      },
      { replace: true },
    );
  return [search.get('letters'), show];
};

const SentNote = ({ sent, onClose }: { readonly sent: SentDeadLetters; readonly onClose: () => void }) => (
  <Alert
    color={sent.refused > 0 || sent.reasons.length > 0 ? 'orange' : 'teal'}
    title={sentSentence(sent)}
    withCloseButton
    closeButtonLabel="Hide the result"
    onClose={onClose}
  >
    {sent.reasons.map(({ output, reason }) => (
      <Text key={output} size="sm" className="wrapped">
        {output}: {reason}
      </Text>
    ))}
  </Alert>
);

/** Events of a generator that its outputs could not deliver: why, and sent again or removed. */
export const DeadLetterTab = ({ id }: { readonly id: string }) => {
  const zone = useGeneratorZone(id);
  const [shown, show] = useShownOutput();
  const [purge, setPurge] = useState<Purge | null>(null);
  const { resend, progress, stop } = useResend(id);
  const list = useDeadLetterList(id);
  const summaries = list.data ?? [];
  const letters = summaries.reduce((sum, summary) => sum + summary.letters, 0);
  const isBusy = resend.isPending;
  return (
    <Stack gap="md">
      {list.isError && <ErrorNote title="The dead letters cannot be read" error={list.error} />}
      {list.isPending && <Loader size="sm" className="late" aria-label="Reading dead letters" />}
      {list.isSuccess && (
        <Group justify="space-between">
          <Text fw={600}>
            {summaries.length === 0 ? 'No dead letters' : countedDeadLetters(letters)}
            {summaries.length > 0 && (
              <Text component="span" size="sm" ml="xs">
                times in {zone}
              </Text>
            )}
          </Text>
          <Group gap="xs">
            <Button
              variant="default"
              leftSection={<RefreshCw size={16} />}
              loading={list.isFetching && !list.isRefetching}
              onClick={() => void list.refetch()}
            >
              Refresh
            </Button>
            {summaries.length > 1 && (
              <>
                <Needs to="resendDeadLetters">
                  <Button
                    leftSection={<Send size={16} />}
                    disabled={isBusy || letters === 0}
                    onClick={() => resend.mutate(summaries.map(({ output }) => output))}
                  >
                    Send all again
                  </Button>
                </Needs>
                <Needs to="purgeDeadLetters">
                  <Button
                    variant="default"
                    leftSection={<Trash2 size={16} />}
                    disabled={isBusy}
                    onClick={() => setPurge({ output: null, letters, until: newestOf(summaries) })}
                  >
                    Remove all
                  </Button>
                </Needs>
              </>
            )}
          </Group>
        </Group>
      )}
      {list.isSuccess && summaries.length === 0 && (
        <Group gap="xs" wrap="nowrap">
          <CircleCheck size={18} aria-hidden />
          <Text size="sm">
            Events that an output gives up are kept here with the reason, until you send them again.
          </Text>
        </Group>
      )}
      {isBusy && (
        <Alert
          color="blue"
          title={`Sending: ${countedDeadLetters(progress.sent)} delivered so far`}
          aria-live="polite"
        >
          <Button variant="default" size="compact-sm" onClick={stop}>
            Stop after this turn
          </Button>
        </Alert>
      )}
      {resend.isError && <ErrorNote title="The dead letters were not sent" error={resend.error} />}
      {resend.isSuccess && <SentNote sent={resend.data} onClose={resend.reset} />}
      {summaries.map((summary) => (
        <DeadLetterPanel
          key={summary.output}
          id={id}
          summary={summary}
          zone={zone}
          isOpen={shown === summary.output}
          isBusy={isBusy}
          onToggle={() => show(shown === summary.output ? null : summary.output)}
          onSend={() => resend.mutate([summary.output])}
          onPurge={() =>
            setPurge({ output: summary.output, letters: summary.letters, until: summary.newest })
          }
        />
      ))}
      <PurgeDeadLetters id={id} purge={purge} onClose={() => setPurge(null)} />
    </Stack>
  );
};

/** Sends dead letters again, one output after the other, until they are sent or someone stops it. */
const useResend = (id: string) => {
  const client = useQueryClient();
  const [progress, setProgress] = useState<SentDeadLetters>(NOTHING_SENT);
  const isStopped = useRef(false);
  const resend = useMutation({
    mutationFn: (outputs: readonly string[]) => {
      isStopped.current = false;
      setProgress(NOTHING_SENT);
      return resendAll({
        outputs,
        send: (output) => call('resendDeadLetters', { path: { id }, query: { output } }),
        onProgress: (so) => {
          setProgress(so);
          void client.invalidateQueries({ queryKey: ['letters', id] });
        },
        isStopped: () => isStopped.current,
      });
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['letters', id] }),
  });
  return {
    resend,
    progress,
    stop: () => {
      isStopped.current = true;
    },
  };
};

/** What is to be removed. */
interface Purge {
  /** Output of the letters. Null for all outputs. */
  readonly output: string | null;
  readonly letters: number;
  /** Newest letter that was shown. */
  readonly until: string | null;
}

interface PurgeProps {
  readonly id: string;
  /** What is asked about. Null when nothing is. */
  readonly purge: Purge | null;
  readonly onClose: () => void;
}

/** Asks before dead letters are removed. */
const PurgeDeadLetters = ({ id, purge, onClose }: PurgeProps) => {
  const client = useQueryClient();
  const removing = useMutation({
    mutationFn: ({ output, until }: Purge) =>
      call('purgeDeadLetters', {
        path: { id },
        query: { ...(output === null ? {} : { output }), ...(until === null ? {} : { until }) },
      }),
    onSuccess: (rows) => {
      const removed = rows.reduce((sum, row) => sum + row.removed, 0);
      notifications.show({ message: `${countedDeadLetters(removed)} removed.`, color: 'teal' });
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['letters', id] }),
  });
  const close = (): void => {
    removing.reset();
    onClose();
  };
  const of = purge?.output ?? 'all outputs';
  return (
    <Modal
      opened={purge !== null}
      onClose={close}
      title={`Remove ${countedDeadLetters(purge?.letters ?? 0)} of ${of}?`}
      centered
    >
      <Text size="sm">
        The events are gone for good: nothing delivers them later. Letters that arrive from now on stay.
      </Text>
      {removing.isError && <ErrorNote title="The letters were not removed" error={removing.error} />}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close} data-autofocus>
          Cancel
        </Button>
        <Button
          color="red"
          loading={removing.isPending}
          onClick={() => {
            if (purge !== null) removing.mutate(purge);
          }}
        >
          Remove
        </Button>
      </Group>
    </Modal>
  );
};
