/**
 * The package export `spate-events/plugin`: everything that a third-party plugin is written with. Spate also passes it to the
 * function that a plugin file exports, so that files outside of a Node.js project need no import.
 */
import { left, right } from 'fp-ts/lib/Either.js';
import { failure, reasonOf } from '../../domain/errors.js';
import { emptyBatch, textBatch } from '../../domain/events/eventBatch.js';
import { serialQueue } from '../../domain/waiting.js';
import {
  anyJson,
  boolean,
  defaulted,
  freeObject,
  givenTogether,
  integer,
  listOf,
  mapOf,
  number,
  oneOf,
  optional,
  path,
  record,
  refined,
  required,
  text,
  url,
} from '../../schema/index.js';
import type { Fields } from '../../schema/shape.js';
import { eventPlugin, formatterPlugin, inputPlugin, outputPlugin, type PluginOf } from '../declare.js';
import type { PluginKind } from '../kit.js';
import { systemFailure } from '../outputs/shared/errors.js';
import { makeMarker } from '../shared/marker.js';

/** Declarations, shapes of options, results and helpers. */
export const kit = {
  /** Declare a plugin: name, summary, options and examples. */
  inputPlugin,
  eventPlugin,
  outputPlugin,
  formatterPlugin,
  /** Options of a plugin: a shape with its presence. */
  required,
  optional,
  defaulted,
  /** Shapes. */
  anyJson,
  boolean,
  freeObject,
  integer,
  listOf,
  mapOf,
  number,
  oneOf,
  path,
  record,
  refined,
  text,
  url,
  /** A rule: two options go together. */
  givenTogether,
  /** Results: a value, or an error made with `failure` or `systemFailure`. */
  right,
  left,
  failure,
  systemFailure,
  reasonOf,
  /** Batches of events. */
  textBatch,
  emptyBatch,
  /** Runs one task at a time. */
  serialQueue,
  /** Marks of events, for the option `marks` of event plugins. */
  makeMarker,
} as const;

export type PluginKit = typeof kit;

/** A plugin with options of any kind. */
export type ThirdPartyPlugin = PluginOf<Fields>[PluginKind];

type Exported = ThirdPartyPlugin | readonly ThirdPartyPlugin[];

/** Default export of a plugin file. */
export type PluginModule = Exported | ((kit: PluginKit) => Exported | Promise<Exported>);

export type { Result, SpateError } from '../../domain/errors.js';
export type { EventBatch } from '../../domain/events/eventBatch.js';
export type { Field, Fields, Shape, ValueOf } from '../../schema/shape.js';
export type {
  Prepare,
  SetUp,
  StartDestination,
  TestDestination as Destination,
} from '../conformance/rule.js';
export type * from '../kit.js';
export type * from '../pairs.js';
export {
  anyJson,
  boolean,
  defaulted,
  emptyBatch,
  eventPlugin,
  failure,
  formatterPlugin,
  freeObject,
  givenTogether,
  inputPlugin,
  integer,
  left,
  listOf,
  makeMarker,
  mapOf,
  number,
  oneOf,
  optional,
  outputPlugin,
  path,
  reasonOf,
  record,
  refined,
  required,
  right,
  serialQueue,
  systemFailure,
  text,
  textBatch,
  url,
};
