import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { roleOf } from '../../contract/roles.js';
import { mayDo, ROLES, type Role } from '../../domain/access/roles.js';
import { readRole, readUser } from '../api/client.js';
import { apiAddressOf, type RowId } from '../api/routes.js';
import './role.css';
import { USER_KEY } from './Session.js';

/** Name of the user while the service asks for no credentials. */
const LOCAL_USER = 'local';

interface SignedIn {
  readonly user: string;
  /** Admin until the service has told it: what it refuses, it refuses anyway. */
  readonly role: Role;
}

/** Who is signed in. Null while nobody is, and where the service asks for no credentials. */
export const useSignedIn = (): SignedIn | null => {
  const { data: user = LOCAL_USER } = useQuery({ queryKey: USER_KEY, queryFn: readUser });
  const enabled = user !== LOCAL_USER;
  const told = useQuery({ queryKey: [...USER_KEY, 'role'], queryFn: readRole, enabled });
  return enabled ? { user, role: ROLES.find((role) => role === told.data) ?? 'admin' } : null;
};

interface NeedsProps {
  /** The operation that the controls inside are for. */
  readonly to: RowId;
  readonly children: ReactNode;
}

/** Disables the controls inside, and says why, when the role of the user does not allow their operation. */
export const Needs = ({ to, children }: NeedsProps) => {
  const signedIn = useSignedIn();
  const needed = roleOf({ id: to, method: apiAddressOf(to).method });
  const isAllowed = signedIn === null || mayDo(signedIn.role, needed);
  return (
    <fieldset
      className="needs"
      disabled={!isAllowed}
      title={isAllowed ? undefined : `Needs the role ${needed}`}
    >
      {children}
    </fieldset>
  );
};
