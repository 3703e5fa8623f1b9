import {
  Button,
  Code,
  CopyButton,
  Group,
  Modal,
  Paper,
  PasswordInput,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, Copy } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { ROLES, type Role } from '../../../domain/access/roles.js';
import type { JsonObject } from '../../../domain/json.js';
import { call, type Tagged } from '../../api/client.js';
import { ApiError } from '../../api/errors.js';
import { Needs } from '../../app/role.js';
import { ErrorNote, tellDone } from '../../parts/notes.js';
import {
  type AddedAccount,
  accountYaml,
  drawTokenText,
  hasAdmin,
  isTokenHash,
  passwordHome,
  ROLE_SENTENCES,
  storedToken,
  userNameFlaw,
  withAccount,
} from './accounts.js';

/** Who signs in with what. */
type Kind = 'person' | 'program';

interface Typed {
  readonly name: string;
  readonly kind: Kind;
  readonly role: Role;
  readonly password: string;
  /** The hash of a token that was made elsewhere. */
  readonly hash: string;
}

const NOTHING: Typed = { name: '', kind: 'person', role: 'read', password: '', hash: '' };

/** What came of adding a user. */
interface Outcome {
  readonly account: AddedAccount;
  /** Shown once. Null when the user has a password, or a token that was made elsewhere. */
  readonly token: string | null;
  /** False when the service may not write its settings file. */
  readonly isWritten: boolean;
}

/** Browsers hash only on pages that came over HTTPS or from this machine. */
const canMakeTokens = (): boolean => globalThis.isSecureContext;

interface AddProps {
  /** The settings of the file. */
  readonly stored: Tagged<JsonObject>;
}

/** Adds a person or a program to the settings. The first one is an admin, or nobody could come back to this page. */
export const AddAccount = ({ stored }: AddProps) => {
  const isFirst = !hasAdmin(stored.value);
  const [given, setTyped] = useState(NOTHING);
  const [hasTried, setTried] = useState(false);
  const [made, setMade] = useState<Outcome | null>(null);
  const typed: Typed = isFirst ? { ...given, kind: 'person', role: 'admin' } : given;
  const adding = useAdding(stored, (outcome) => {
    setTyped(NOTHING);
    setTried(false);
    if (outcome.token !== null || !outcome.isWritten) setMade(outcome);
  });
  const flaws = flawsOf(typed, stored.value);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (Object.values(flaws).every((flaw) => flaw === null)) adding.mutate(typed);
  };
  return (
    <Paper withBorder p="md" component="form" onSubmit={submit} aria-label="Add a user or token">
      <Needs to="updateSettings">
        <Stack gap="sm">
          {isFirst && (
            <Text size="sm">
              The first user is an admin with a password: somebody must be able to come back to this page.
            </Text>
          )}
          <Fields
            typed={typed}
            flaws={hasTried ? flaws : NO_FLAWS}
            isFirst={isFirst}
            onTyped={(next) => {
              adding.reset();
              setTyped(next);
            }}
          />
          <Group>
            <Button type="submit" loading={adding.isPending}>
              {typed.kind === 'program' && canMakeTokens() ? 'Make a token' : 'Add'}
            </Button>
          </Group>
          {adding.isError && <ErrorNote title="Nobody was added" error={adding.error} />}
        </Stack>
      </Needs>
      {made !== null && <Made outcome={made} onClose={() => setMade(null)} />}
    </Paper>
  );
};

interface Flaws {
  readonly name: string | null;
  readonly password: string | null;
  readonly hash: string | null;
}
const NO_FLAWS: Flaws = { name: null, password: null, hash: null };

const flawsOf = ({ name, kind, password, hash }: Typed, settings: JsonObject): Flaws => ({
  name: userNameFlaw(name, settings),
  password: kind === 'person' && password === '' ? 'must not be empty' : null,
  hash:
    kind === 'program' && !canMakeTokens() && !isTokenHash(hash)
      ? 'must be sha256$ and 64 digits, as the command prints it'
      : null,
});

interface FieldsProps {
  readonly typed: Typed;
  readonly flaws: Flaws;
  readonly isFirst: boolean;
  readonly onTyped: (typed: Typed) => void;
}

const Fields = ({ typed, flaws, isFirst, onTyped }: FieldsProps) => (
  <>
    <Group align="flex-start" gap="sm">
      {!isFirst && (
        <Select
          label="Kind"
          data={[
            { value: 'person', label: 'Person with a password' },
            { value: 'program', label: 'Program with a token' },
          ]}
          value={typed.kind}
          onChange={(kind) => onTyped({ ...typed, kind: kind ?? 'person' })}
          allowDeselect={false}
          w={{ base: '100%', xs: 230 }}
        />
      )}
      <TextInput
        label="Name"
        placeholder={typed.kind === 'person' ? 'ben' : 'prometheus'}
        value={typed.name}
        onChange={(event) => onTyped({ ...typed, name: event.currentTarget.value })}
        error={flaws.name}
        autoComplete="off"
        spellCheck={false}
        w={{ base: '100%', xs: 220 }}
      />
      {!isFirst && (
        <Select
          label="Role"
          data={[...ROLES]}
          value={typed.role}
          onChange={(role) => onTyped({ ...typed, role: role ?? 'read' })}
          allowDeselect={false}
          w={{ base: '100%', xs: 140 }}
        />
      )}
    </Group>
    <Text size="sm">{ROLE_SENTENCES[typed.role]}</Text>
    {typed.kind === 'person' && (
      <PasswordInput
        label="Password"
        description="It goes to the keyring. Or paste its hash, as spate hash-password prints it: that goes to the settings."
        value={typed.password}
        onChange={(event) => onTyped({ ...typed, password: event.currentTarget.value })}
        error={flaws.password}
        autoComplete="new-password"
        maw={460}
      />
    )}
    {typed.kind === 'program' && !canMakeTokens() && (
      <TextInput
        label="Hash of the token"
        description="This page came without HTTPS, so the browser makes no tokens. Run spate hash-password --token and paste the hash."
        placeholder="sha256$…"
        value={typed.hash}
        onChange={(event) => onTyped({ ...typed, hash: event.currentTarget.value.trim() })}
        error={flaws.hash}
        autoComplete="off"
        spellCheck={false}
        maw={640}
      />
    )}
    {typed.kind === 'program' && canMakeTokens() && (
      <Text size="sm">
        The browser makes the token and shows it once. The settings hold only its hash, so nobody can read it
        there.
      </Text>
    )}
  </>
);

const isUnwritable = (error: unknown): boolean => error instanceof ApiError && error.code === 'unwritable';

/** Writes the settings with one more user. Says whether the service may. */
const write = async ({ value, etag }: Tagged<JsonObject>, account: AddedAccount): Promise<boolean> => {
  try {
    await call('updateSettings', { body: withAccount(value, account), etag });
    return true;
  } catch (error) {
    if (isUnwritable(error)) return false;
    throw error;
  }
};

const addPerson = async (
  stored: Tagged<JsonObject>,
  { name, role, password: typed }: Typed,
): Promise<Outcome> => {
  const home = passwordHome(name, typed, await call('listSecrets'));
  const account: AddedAccount = { name, role, password: home.password, token: null };
  if (home.kind === 'settings') return { account, token: null, isWritten: await write(stored, account) };
  const path = { name: home.secret };
  await call('setSecret', { path, body: typed });
  try {
    return { account, token: null, isWritten: await write(stored, account) };
  } catch (error) {
    // Nothing names it. If it stays, the error that is shown is still the one that matters.
    await call('deleteSecret', { path }).catch(() => undefined);
    throw error;
  }
};

const addProgram = async (stored: Tagged<JsonObject>, { name, role, hash }: Typed): Promise<Outcome> => {
  const token = canMakeTokens() ? drawTokenText() : null;
  const account: AddedAccount = {
    name,
    role,
    password: null,
    token: token === null ? hash : await storedToken(token),
  };
  return { account, token, isWritten: await write(stored, account) };
};

const useAdding = (stored: Tagged<JsonObject>, onAdded: (outcome: Outcome) => void) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (typed: Typed) =>
      typed.kind === 'person' ? addPerson(stored, typed) : addProgram(stored, typed),
    onSuccess: (outcome) => {
      if (outcome.isWritten)
        tellDone(`${outcome.account.name} is in the settings. Restart the service to apply the change.`);
      onAdded(outcome);
    },
    // Also after a refusal: others may have changed the settings.
    onSettled: () => client.invalidateQueries({ queryKey: ['settings'] }),
  });
};

/** A token, and what is left to do by hand. It is gone once this is closed. */
const Made = ({ outcome, onClose }: { readonly outcome: Outcome; readonly onClose: () => void }) => {
  const { account, token, isWritten } = outcome;
  const { name } = account;
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={token === null ? `${name} is not in the settings yet` : `The token of ${name}`}
      size="lg"
      centered
    >
      <Stack gap="sm">
        {token !== null && (
          <>
            <Text size="sm">
              Copy it now: it is shown this once. It works{' '}
              {isWritten ? 'from the next restart on' : 'once its hash is in the settings'}, and is sent with
              every request:
            </Text>
            <Copied label="token" text={token} />
            <Code block tabIndex={0}>
              {`curl -H 'Authorization: Bearer ${token}' ${globalThis.location.origin}/api/generators/`}
            </Code>
          </>
        )}
        {!isWritten && (
          <>
            <Text size="sm">
              The service may not write its settings file. Put these lines into it and restart the service:
            </Text>
            <Copied label="lines" text={accountYaml(account)} />
          </>
        )}
        <Group justify="flex-end">
          <Button onClick={onClose}>{token === null ? 'Close' : 'I have copied it'}</Button>
        </Group>
      </Stack>
    </Modal>
  );
};

const Copied = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <div>
    <Code block tabIndex={0} aria-label={`The ${label}`} className="wrapped">
      {text}
    </Code>
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button
          mt="xs"
          variant="default"
          size="compact-sm"
          leftSection={copied ? <Check size={14} /> : <Copy size={14} />}
          onClick={copy}
        >
          {copied ? 'Copied' : `Copy the ${label}`}
        </Button>
      )}
    </CopyButton>
  </div>
);
