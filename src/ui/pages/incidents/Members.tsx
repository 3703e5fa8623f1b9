import { Anchor, Group, Paper, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { IncidentMemberStatus } from '../../../messages/incidents.js';
import { useLive } from '../../api/live.js';
import { Phase } from '../../parts/Phase.js';
import { placeOf } from '../../parts/placedText.js';
import { isOwn } from './members.js';

interface MemberProps {
  readonly incident: string;
  readonly member: IncidentMemberStatus;
}

const Config = ({ path }: { readonly path: string }) => {
  const place = placeOf(path);
  if (place === null)
    return (
      <Text size="sm" className="wrapped">
        {path}
      </Text>
    );
  return (
    <Anchor
      component={Link}
      href={`/g/${encodeURIComponent(place.name)}`}
      size="sm"
      underline="always"
      className="wrapped"
    >
      {path}
    </Anchor>
  );
};

const Played = ({ incident, member: { name, generator_id: id, phase } }: MemberProps) => {
  const live = useLive().generators.get(id ?? '')?.phase ?? phase;
  if (id === null) return <Text size="sm">No generator yet: the incident makes one.</Text>;
  return (
    <Group gap="xs">
      <Anchor
        component={Link}
        href={`/r/${encodeURIComponent(id)}`}
        size="sm"
        underline="always"
        className="wrapped"
      >
        {id}
      </Anchor>
      {live !== null && <Phase phase={live} />}
      {isOwn(incident, { name, generator_id: id }) && <Text size="sm">made for the incident</Text>}
    </Group>
  );
};

interface MembersProps {
  readonly incident: string;
  readonly members: readonly IncidentMemberStatus[];
}

/** The members, and the generators that play them. */
export const Members = ({ incident, members }: MembersProps) => (
  <ul className="members">
    {members.map((member) => (
      <Paper key={member.name} withBorder px="md" py="xs" component="li">
        <Text fw={600} className="wrapped">
          {member.name}
        </Text>
        <Played incident={incident} member={member} />
        <Config path={member.path} />
      </Paper>
    ))}
  </ul>
);
