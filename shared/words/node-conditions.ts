import type { Coded } from '../domain/coded.ts'
import type { ConditionReported, ConditionValues, NodeCondition } from '../domain/node-conditions.ts'
import { counted } from '../grammar/counts.ts'
import { type TextsOf, textOf } from './coded-text.ts'
import type { Finding } from './steps/coded.ts'

const TEXTS: TextsOf<ConditionValues> = {
  NodeUnschedulable: ({ node }) => `${node} is unschedulable.`,
  NodeSchedulable: ({ node }) => `${node} is schedulable.`,
  PodsNotAsked: ({ node }) => `Which pods are on ${node} could not be asked.`,
  NodeDrained: ({ node }) => `No pod that had to leave is on ${node}.`,
  PodsLeft: ({ node, pods }) => `${counted(pods, 'pod that is', 'pods that are')} on ${node} should have left.`,
  ComputeNotAsked: ({ node }) => `Nova could not be asked about nova-compute of ${node}.`,
  ComputeMissing: ({ node }) => `Nova has no nova-compute service on ${node}.`,
  ComputeEnabled: ({ host }) => `nova-compute on ${host} is enabled.`,
  ComputeDisabledAndUp: ({ host }) => `nova-compute on ${host} is disabled and up.`,
  ComputeDownWithMachine: ({ host }) => `nova-compute on ${host} is disabled, and down with its machine.`,
  ComputeDisabledButDown: ({ host }) => `nova-compute on ${host} is disabled, but down.`,
  InstancesNotKnown: ({ host }) => `Which instances are on ${host} is not known.`,
  HostEmptied: ({ host }) => `No instance that had to leave is on ${host}.`,
  InstancesLeft: ({ host, instances }) =>
    `${counted(instances, 'instance that is', 'instances that are')} on ${host} had to leave.`,
  CephNotAsked: ({ node }) => `Ceph could not be asked about the OSDs of ${node}.`,
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
  NooutNoteNotRead: () => 'Its Lease could not be read, which tells whether a run keeps noout for it.',
  NooutNotNoted: () => 'No run keeps noout for it.',
  NooutNoted: ({ run }) => `Run ${run} keeps noout for it.`,
  Several: ({ of }) => of.map(conditionText).join(' '),
}

/** What is so of a node, or what is not: whole sentences. */
export function conditionText<Code extends keyof ConditionValues>(reported: Coded<ConditionValues, Code>): string {
  return textOf(TEXTS, reported)
}

/** What a role asks of a node, as the world tells it, with its text. */
export function conditionOf(role: NodeCondition['role'], reported: ConditionReported): NodeCondition {
  const { holds, code, values } = reported
  return { role, holds, code, values: { ...values }, text: conditionText(reported) }
}

/** A condition as a reason for the state of its node. */
export function conditionSaid({ code, values, text }: NodeCondition): Finding {
  return { code, values, message: text }
}
