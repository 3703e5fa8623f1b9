export { type CheckedOutput, connectOutputs } from '../../worker/check/connect.js';
export { type CheckedFiles, checkFilesOf } from '../../worker/check/files.js';
export { unreadGlobals } from '../../worker/check/globals.js';
export { compareGenerated } from '../../worker/learn/compareGenerated.js';
export { generatorOf } from '../../worker/learn/generatorOf.js';
export {
  type Sampled,
  type SampledBatch,
  type SampleEventsOptions,
  type SampleFailure,
  sampleEvents,
} from '../../worker/sample/events.js';
export {
  type SampledTimestamps,
  type SampleTimestampsOptions,
  sampleTimestamps,
} from '../../worker/sample/timestamps.js';
