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
  /** False until the service has told the role. */
  readonly isTold: boolean;
}

/** Who is signed in. Null while nobody is, and where the service asks for no credentials. */
export const useSignedIn = (): SignedIn | null => {
  const { data: user = LOCAL_USER } = useQuery({ queryKey: USER_KEY, queryFn: readUser });
  const enabled = user !== LOCAL_USER;
  const told = useQuery({ queryKey: [...USER_KEY, 'role'], queryFn: readRole, enabled });
  if (!enabled) return null;
  return { user, role: ROLES.find((role) => role === told.data) ?? 'admin', isTold: !told.isPending };
};

/** The least role that an operation needs. */
const neededRole = (id: RowId): Role => roleOf({ id, method: apiAddressOf(id).method });

/** Whether the role of the user allows an operation. Null until the role is known. */
export const useMay = (id: RowId): boolean | null => {
  const signedIn = useSignedIn();
  if (signedIn === null) return true;
  return signedIn.isTold ? mayDo(signedIn.role, neededRole(id)) : null;
};

interface NeedsProps {
  /** The operation that the controls inside are for. */
  readonly to: RowId;
  readonly children: ReactNode;
}

/** Disables the controls inside, and says why, when the role of the user does not allow their operation. */
export const Needs = ({ to, children }: NeedsProps) => {
  const isAllowed = useMay(to) !== false;
  return (
    <fieldset
      className="needs"
      disabled={!isAllowed}
      title={isAllowed ? undefined : `Needs the role ${neededRole(to)}`}
    >
      {children}
    </fieldset>
  );
};
