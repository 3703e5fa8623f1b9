import { Button, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Power, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api/client.js';
import { Needs } from '../../app/role.js';
import { tellDone, tellError } from '../../parts/notes.js';
import { Question } from '../../parts/Questions.js';

const ACTIONS = {
  restart: {
    id: 'restartInstance',
    verb: 'Restart',
    title: 'Restart the service?',
    text: 'It applies the settings and the startup list. Generators deliver what is in flight, then start again. If a file is invalid, nothing changes.',
    done: 'The service restarts.',
    failed: 'The service was not restarted',
  },
  stop: {
    id: 'stopInstance',
    verb: 'Stop',
    title: 'Stop the service?',
    text: 'Generators deliver what is in flight. This page works again after someone starts the service on its machine.',
    done: 'The service stops.',
    failed: 'The service was not stopped',
  },
} as const;
type Action = keyof typeof ACTIONS;

/** Time in which most restarted services answer again. */
const BACK_MS = 2_000;
const ASK_EVERY_MS = 1_000;
/** Beyond it, somebody has to look at the machine of the service. */
const MAX_ASKS = 120;

/** Resolves once a restarted service answers. Generators that deliver what is in flight take their time. */
const untilBack = async (): Promise<void> => {
  for (let asks = 0; asks < MAX_ASKS; asks++) {
    await new Promise((resolve) => setTimeout(resolve, asks === 0 ? BACK_MS : ASK_EVERY_MS));
    const isBack = await call('readHealth').then(
      () => true,
      () => false,
    );
    if (isBack) return;
  }
};

/** Restart and stop of the service, each after a question. */
export const InstanceActions = ({ canStop = true }: { readonly canStop?: boolean }) => {
  const client = useQueryClient();
  const [asked, setAsked] = useState<Action | null>(null);
  const acting = useMutation({
    mutationFn: (action: Action) => call(ACTIONS[action].id),
    onSuccess: (_, action) => {
      tellDone(ACTIONS[action].done);
      if (action === 'restart') void untilBack().then(() => client.invalidateQueries());
    },
    onError: (error, action) => tellError(ACTIONS[action].failed, error),
  });
  const { title, text, verb } = ACTIONS[asked ?? 'restart'];
  return (
    <Group gap="xs">
      <Needs to="restartInstance">
        <Button
          variant="default"
          leftSection={<RotateCw size={16} />}
          onClick={() => setAsked('restart')}
          loading={acting.isPending}
        >
          Restart the service
        </Button>
      </Needs>
      {canStop && (
        <Needs to="stopInstance">
          <Button variant="default" leftSection={<Power size={16} />} onClick={() => setAsked('stop')}>
            Stop the service
          </Button>
        </Needs>
      )}
      <Question
        isOpen={asked !== null}
        title={title}
        verb={verb}
        onYes={() => asked !== null && acting.mutate(asked)}
        onClose={() => setAsked(null)}
      >
        {text}
      </Question>
    </Group>
  );
};
