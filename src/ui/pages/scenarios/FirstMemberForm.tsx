import { Button, Group, Select, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';

interface FirstMemberFormProps {
  /** Names of what can be the first member. */
  readonly members: readonly string[];
  /** Returns what is wrong with a name, or null when nothing is. */
  readonly flawOf: (name: string) => string | null;
  readonly isBusy: boolean;
  readonly onCreate: (name: string, member: string) => void;
}

/** Name and first member of something new that has members. */
export const FirstMemberForm = ({ members, flawOf, isBusy, onCreate }: FirstMemberFormProps) => {
  const [name, setName] = useState('');
  const [member, setMember] = useState<string | null>(null);
  const [hasTried, setTried] = useState(false);
  const create = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (member !== null && flawOf(name) === null) onCreate(name, member);
  };
  return (
    <form onSubmit={create}>
      <Group align="flex-start" gap="sm">
        <TextInput
          label="Name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={hasTried ? flawOf(name) : null}
          w={{ base: '100%', sm: 240 }}
        />
        <Select
          label="First member"
          data={members}
          value={member}
          onChange={setMember}
          searchable
          error={hasTried && member === null ? 'Choose a generator.' : null}
          w={{ base: '100%', sm: 240 }}
        />
        <Button type="submit" variant="default" mt={{ base: 0, sm: 25 }} loading={isBusy}>
          Create
        </Button>
      </Group>
    </form>
  );
};
