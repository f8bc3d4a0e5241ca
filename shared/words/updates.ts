import { assertNever } from '../domain/must.ts'
import type { NodeStage, NodeWorkGate, UpdatePhase } from '../domain/update.ts'

/** The phases of the update of a cloud. */
export const PHASE_WORDS: Readonly<Record<UpdatePhase, string>> = {
  prepare: 'Prepare',
  applications: 'Applications',
  'control-nodes': 'Control plane',
  'worker-nodes': 'Workers',
  finalize: 'Finish',
}

/** The heading of a group of nodes: its batch, or its phase and group. */
export function groupHeading(phase: UpdatePhase, group: string | null): string {
  const batch = group === null ? null : (/^(?:batch|wave)[ -](\d+)$/.exec(group)?.[1] ?? null)
  if (batch !== null) return `Batch ${batch}`
  return group === null || group === ONLY_GROUP ? PHASE_WORDS[phase] : `${PHASE_WORDS[phase]}, ${group}`
}

/** The name of the group that holds every worker, as main proposes it. */
const ONLY_GROUP = 'default'

/** The sign that the work on a node is done, if Lockkeeper does not do it. */
export function seenGateWords(gate: Exclude<NodeWorkGate, { kind: 'job' }>): string {
  switch (gate.kind) {
    case 'person':
      return 'until you say it is done'
    case 'boot-id':
      return 'until it has rebooted'
    case 'kubelet-version':
      return `until its kubelet is ${gate.version}`
    case 'os-image':
      return `until its OS image says "${gate.contains}"`
    default:
      return assertNever(gate, 'gate of the work on a node')
  }
}

/** The purpose of a phase. */
export const PHASE_EXPLAINED: Readonly<Record<UpdatePhase, string>> = {
  prepare: 'Lockkeeper checks the instances and asks for maintenance of the cloud.',
  applications: 'OpenStack lets the cloud go, then Ceph, then the others.',
  'control-nodes': 'One by one, so that the control plane keeps its quorum.',
  'worker-nodes': 'Group by group, each with its number of nodes at a time.',
  finalize: 'Lockkeeper ends the request, waits for the locks and verifies the cloud.',
}

/** The stages of a node in an update. */
export const STAGE_WORDS: Readonly<Record<NodeStage, string>> = {
  pending: 'not started',
  requested: 'requested',
  locks: 'locks',
  draining: 'draining',
  work: 'work',
  returning: 'returning',
  done: 'done',
  skipped: 'skipped',
  unseen: 'not observed',
}

/** What happens to a node in a stage. */
export const STAGE_EXPLAINED: Readonly<Record<NodeStage, string>> = {
  pending: 'Its turn has not come, or Lockkeeper has not seen it yet.',
  requested: 'Its maintenance request exists.',
  locks: 'The controllers prepare it: its locks become inactive.',
  draining: 'All its locks are inactive, and pods leave.',
  work: 'It is drained, and the work on it is running.',
  returning: 'It is uncordoned or its request is being removed; its locks become active again.',
  done: 'It is back, all its locks are active.',
  skipped: 'An operator skipped it.',
  unseen: 'The update has ended, but Lockkeeper did not observe this node.',
}
