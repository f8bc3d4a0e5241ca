import type { DurationPart } from '../domain/duration-figures.ts'

/** The parts of the work on a node. */
export const DURATION_PART_WORDS: Readonly<Record<DurationPart, string>> = {
  evacuation: 'Emptying',
  'per-gib': 'Emptying per GiB',
  drain: 'Drain of pods',
  work: 'Work on the node',
  return: 'Bringing back',
  enter: 'Taking out of service, in all',
  update: 'Node of an update, in all',
}

/** What each part counts. */
export const DURATION_PART_EXPLAINED: Readonly<Record<DurationPart, string>> = {
  evacuation: 'From the first request until every instance had left; nodes without instances are not counted.',
  'per-gib': 'The time to empty a node, divided by the memory of the instances that moved live.',
  drain: 'From the first eviction until every evicted pod was gone.',
  work: "From the end of the drain until the work was reported done: the operator's time, a reboot.",
  return: 'From the start of the way back until the node was in service again.',
  enter: 'Taking a node out of service, from its first step to its last.',
  update: 'A node within an update or a batch, from its first step until it was back.',
}
