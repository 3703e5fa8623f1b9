import { type ComponentType, createContext, type ReactNode, useContext } from 'react';
import type { Issue } from '../../domain/errors.js';
import type { Json } from '../../domain/json.js';
import type { AnyShape } from '../../schema/index.js';
import type { FieldLocation } from './document.js';

export interface FieldNodeProps {
  readonly location: FieldLocation;
  readonly shape: AnyShape;
  /** The default of the object around it. */
  readonly around?: Json;
  /** Beside the name, such as the buttons of an item. */
  readonly actions?: ReactNode;
}

/** What a control needs of its field. */
export interface ControlProps {
  readonly location: FieldLocation;
  readonly shape: AnyShape;
  /** For screen readers, e.g. `server ssl cert`. */
  readonly label: string;
  readonly value: Json | undefined;
  /** What holds if no value is given. */
  readonly fallback: Json;
}

/** What every field of a form knows. */
export interface FormContext {
  /** Shows a field: controls that hold fields have it from here. */
  readonly Field: ComponentType<FieldNodeProps>;
  readonly value: Json;
  /** The stored document; fields that differ from it are marked. */
  readonly base: Json;
  /** Defaults that replace those of the declaration, such as the settings under a startup entry. */
  readonly defaults: Json;
  readonly issues: readonly Issue[];
  /** `undefined` removes the value. */
  readonly onChange: (location: FieldLocation, value: Json | undefined) => void;
  /** A remark beside the name of a field. */
  readonly noteOf?: (location: FieldLocation) => ReactNode;
  readonly isShown?: (location: FieldLocation) => boolean;
  /** Shows the fields of every object, such as those that a search finds. */
  readonly isExpanded?: boolean;
  /** Fields without a value are behind a button. */
  readonly isCompact?: boolean;
}

const Context = createContext<FormContext | null>(null);

export const FormProvider = Context.Provider;

export const useForm = (): FormContext => {
  const context = useContext(Context);
  if (context === null) throw new Error('a field stands outside of a form');
  return context;
};
