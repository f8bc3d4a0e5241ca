import { assertNever } from '../domain/must.ts'
import type { NodeStage, NodeWorkGate, UpdatePhase } from '../domain/update.ts'

/** The phases of a cluster update. */
export const PHASE_WORDS: Readonly<Record<UpdatePhase, string>> = {
  prepare: 'Prepare',
  applications: 'Applications',
  'control-nodes': 'Control-plane nodes',
  'worker-nodes': 'Worker nodes',
  finalize: 'Finish',
}

/** The heading of nodes that belong together: a batch says all; else the phase, and the group within it. */
export function groupHeading(phase: UpdatePhase, group: string | null): string {
  const batch = group === null ? null : (/^(?:batch|wave)[ -](\d+)$/.exec(group)?.[1] ?? null)
  if (batch !== null) return `Batch ${batch}`
  return group === null ? PHASE_WORDS[phase] : `${PHASE_WORDS[phase]}, ${group}`
}

/** How the work on a node is seen to be over, where nothing of ours does it: in a few words. */
export function seenGateWords(gate: Exclude<NodeWorkGate, { kind: 'job' }>): string {
  switch (gate.kind) {
    case 'person':
      return 'until a person says it is done'
    case 'boot-id':
      return 'until it was rebooted'
    case 'kubelet-version':
      return `until its kubelet is ${gate.version}`
    case 'os-image':
      return `until its OS image says "${gate.contains}"`
    default:
      return assertNever(gate, 'gate of the work on a node')
  }
}

/** What a phase is there for. */
export const PHASE_EXPLAINED: Readonly<Record<UpdatePhase, string>> = {
  prepare: 'Modes and instances are looked over; the cluster maintenance request is made.',
  applications: 'OpenStack lets the cluster go, then Ceph, then the others.',
  'control-nodes': 'One by one, so that the control plane keeps its quorum.',
  'worker-nodes': 'Group by group, in each so many at once as it allows.',
  finalize: 'The request is removed, locks are active again, the whole cluster is verified.',
}

/** Where a node stands in an update. */
export const STAGE_WORDS: Readonly<Record<NodeStage, string>> = {
  pending: 'not begun',
  requested: 'requested',
  locks: 'locks',
  draining: 'draining',
  work: 'work',
  returning: 'returning',
  done: 'done',
  skipped: 'skipped',
  unseen: 'not observed',
}

/** What a node is doing in a stage. */
export const STAGE_EXPLAINED: Readonly<Record<NodeStage, string>> = {
  pending: 'Its turn has not come, or nothing was seen of it yet.',
  requested: 'Its maintenance request is there.',
  locks: 'The controllers prepare it: its locks go inactive.',
  draining: 'All its locks are inactive, pods leave.',
  work: 'It is drained, the work on it goes on.',
  returning: 'It is uncordoned or its request is going; the locks come back.',
  done: 'It is back, all its locks are active.',
  skipped: 'It was passed, for a reason.',
  unseen: 'The update is over. Nobody observed this node in it.',
}
