import type { Coded } from '../domain/coded.ts'
import type { ConditionReported, ConditionValues, NodeCondition } from '../domain/node-conditions.ts'
import { counted } from '../grammar/counts.ts'
import { type TextsOf, textOf } from './coded-text.ts'
import type { Finding } from './steps/coded.ts'

const TEXTS: TextsOf<ConditionValues> = {
  NodeUnschedulable: ({ node }) => `${node} is unschedulable.`,
  NodeSchedulable: ({ node }) => `${node} is schedulable.`,
  PodsNotAsked: ({ node }) => `Lockkeeper could not read the pods on ${node}.`,
  NodeDrained: ({ node }) => `${node} has no pod left that had to leave.`,
  PodsLeft: ({ node, pods }) => `${counted(pods, 'pod that is', 'pods that are')} on ${node} should have left.`,
  ComputeNotAsked: ({ node }) => `Nova did not answer about nova-compute of ${node}.`,
  ComputeMissing: ({ node }) => `Nova has no nova-compute service on ${node}.`,
  ComputeEnabled: ({ host }) => `nova-compute on ${host} is enabled.`,
  ComputeDisabledAndUp: ({ host }) => `nova-compute on ${host} is disabled and up.`,
  ComputeDownWithMachine: ({ host }) => `nova-compute on ${host} is disabled, and down with its machine.`,
  ComputeDisabledButDown: ({ host }) => `nova-compute on ${host} is disabled, but down.`,
  InstancesNotKnown: ({ host }) => `Lockkeeper does not know the instances on ${host}.`,
  HostEmptied: ({ host }) => `${host} has no instance left that had to leave.`,
  InstancesLeft: ({ host, instances }) =>
    `${counted(instances, 'instance that is', 'instances that are')} on ${host} had to leave.`,
  CephNotAsked: ({ node }) => `Ceph did not answer about the OSDs of ${node}.`,
  NodeWithoutOsds: ({ node }) => `Ceph has no OSD on ${node}.`,
  OsdsUpAsAllowed: ({ node, osds }) => `OSD ${osds.join(', ')} of ${node}: up without noout, which is optional.`,
  OsdsUpWithoutNoout: ({ node, osds }) => `OSD ${osds.join(', ')} of ${node}: up, and not covered by noout.`,
  OsdsProtected: ({ node, covered, down }) => {
    const said = [
      ...(covered.length > 0 ? [`OSD ${covered.join(', ')} covered by noout`] : []),
      ...(down.length > 0 ? [`OSD ${down.join(', ')} down`] : []),
    ]
    return `On ${node}: ${said.join('; ')}.`
  },
  NooutNoteNotRead: () => 'Lockkeeper could not read its Lease, which shows whether a run keeps noout for it.',
  NooutNotNoted: () => 'No run keeps noout for it.',
  NooutNoted: ({ run }) => `Run ${run} keeps noout for it.`,
  Several: ({ of }) => of.map(conditionText).join(' '),
}

/** The state of a node in whole sentences. */
export function conditionText<Code extends keyof ConditionValues>(reported: Coded<ConditionValues, Code>): string {
  return textOf(TEXTS, reported)
}

/** A condition of a role on a node, with its text. */
export function conditionOf(role: NodeCondition['role'], reported: ConditionReported): NodeCondition {
  const { holds, code, values } = reported
  return { role, holds, code, values: { ...values }, text: conditionText(reported) }
}

export function conditionSaid({ code, values, text }: NodeCondition): Finding {
  return { code, values, message: text }
}
