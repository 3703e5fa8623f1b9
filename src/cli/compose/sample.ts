export { connectOutputs } from '../../worker/check/connect.js';
export { type CheckedFiles, checkFilesOf } from '../../worker/check/files.js';
export { unreadGlobals } from '../../worker/check/globals.js';
export { compareGenerated, generatorOf } from '../../worker/learned.js';
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
