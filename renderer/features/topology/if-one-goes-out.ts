import { someOf } from '../../../shared/grammar/counts.ts'

/** What is known about a few machines, for the question what happens if one of them goes out. */
export interface FewMachines {
  readonly controls: number
  /** Control nodes in service whose kubelet reports. */
  readonly controlsUp: number
  readonly stores: number
  /** The instances that would block the plan of a node; null if instances or room of a machine are unread. */
  readonly stuck: readonly string[] | null
}

interface OutLine {
  readonly good: boolean
  readonly title: string
  readonly words: string
}

/** A line for each role, by the rules of the plan. Only what was read is called good. */
export function ifOneGoesOut({ controls, controlsUp, stores, stuck }: FewMachines): readonly OutLine[] {
  return [
    ...(controls === 0 ? [] : [controlLine(controls, controlsUp)]),
    stuckLine(stuck),
    ...(stores === 0
      ? []
      : [{ good: true, title: 'Storage is asked first', words: 'Each plan asks Ceph whether its OSDs may stop.' }]),
  ]
}

function controlLine(controls: number, up: number): OutLine {
  const needed = Math.floor(controls / 2) + 1
  const left = Math.max(0, up - 1)
  return left >= needed
    ? { good: true, title: 'Control keeps working', words: `${left} of ${controls} stay, and ${needed} are enough.` }
    : { good: false, title: 'Control would stop', words: `${left} of ${controls} stay, and ${needed} are needed.` }
}

function stuckLine(stuck: readonly string[] | null): OutLine {
  if (stuck === null) {
    return { good: false, title: 'Instances: cannot tell', words: 'Their list or the room for them is unread.' }
  }
  return stuck.length === 0
    ? { good: true, title: 'Instances can move', words: 'Each has a node with room.' }
    : { good: false, title: 'Not every instance can move', words: `${someOf(stuck, 4)} would block the plan.` }
}
