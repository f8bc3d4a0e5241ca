import type { DurationPart } from '../domain/duration-figures.ts'

/** What of the work on a node is looked at. */
export const DURATION_PART_WORDS: Readonly<Record<DurationPart, string>> = {
  evacuation: 'Evacuation',
  'per-gib': 'Evacuation per GiB',
  drain: 'Drain of pods',
  work: 'Work on the node',
  return: 'Return to service',
  enter: 'Entering, as a whole',
  update: 'Node of an update, as a whole',
}

/** What is counted, and what is not. */
export const DURATION_PART_EXPLAINED: Readonly<Record<DurationPart, string>> = {
  evacuation: 'From the first request until every instance had left; nodes without instances are not counted.',
  'per-gib': 'The evacuation divided by the memory of what moved live.',
  drain: 'From the first eviction until every pod to be evicted was gone.',
  work: "From the end of the drain until the work was said to be done: the operator's time, a reboot.",
  return: 'From the beginning of the way back until the node was in service again.',
  enter: 'Taking a node out of service, from its first step to its last.',
  update: 'A node within an update or a batch, from its first step until it was back.',
}
