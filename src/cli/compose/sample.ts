export {
  type Sampled,
  type SampledBatch,
  type SampleEventsOptions,
  type SampleFailure,
  sampleEvents,
} from './sample/events.js';
export {
  type SampledTimestamps,
  type SampleTimestampsOptions,
  sampleTimestamps,
} from './sample/timestamps.js';
