import type { PlannedAsk, SafeBecause } from '../domain/unattended.ts'

/** The planned question of a kind of step, as a phrase. */
export const ASK_WORDS: Readonly<Record<PlannedAsk, string>> = {
  SpreadAgain: 'whether to spread instances again as Watcher recommends',
  UncordonOfUnknown: 'whether to uncordon a node without a known owner of the cordon',
  MachineStillOff: 'whether the machine is still off, after a console ended while it forced nova-compute down',
  WaitOnForCeph: 'whether to keep waiting for Ceph, if it recovers slowly',
  WorkDone: 'whether the work on the node is done',
  GoOn: 'whether to continue with the next part',
  BeginDespiteGate: 'whether to start a node although a health gate fails',
  ApplicationsUpdated: 'whether applications without a lock are updated',
  CommandFailed: 'what to do if its command fails, or its result is unknown',
}

/** Why an answer is safe without an operator, as a phrase. */
export const SAFE_WORDS: Readonly<Record<SafeBecause, string>> = {
  InstancesStay: 'instances stay where they are',
  OnlyWaitsForCeph: 'the run keeps waiting for Ceph',
}
