import type { PlannedAsk, SafeBecause } from '../domain/unattended.ts'

/** What a kind of step asks by plan, as a phrase. */
export const ASK_WORDS: Readonly<Record<PlannedAsk, string>> = {
  SpreadAgain: 'whether instances are spread again as Watcher recommends',
  UncordonOfUnknown: 'whether a node is uncordoned of which Kubernetes does not tell who cordoned it',
  MachineStillOff: 'whether the machine is still off, where a console ended just as it forced nova-compute down',
  WaitOnForCeph: 'whether to wait on for Ceph, when it takes long to recover',
  WorkDone: 'whether the work on the node is done',
  GoOn: 'whether to go on with what is next',
  BeginDespiteGate: 'whether a node is begun although a health gate does not hold',
  ApplicationsUpdated: 'whether applications that have no lock are updated',
  CommandFailed: 'what is to be done when its command fails, or nobody can tell how it ended',
}

/** Why an answer is safe although nobody looks, as a phrase. */
export const SAFE_WORDS: Readonly<Record<SafeBecause, string>> = {
  InstancesStay: 'instances stay where they are',
  OnlyWaitsForCeph: 'Ceph is waited for on',
}
