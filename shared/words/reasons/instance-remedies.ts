import type { InstanceRemedy } from '../../domain/instance-remedy.ts'
import { durationWords } from '../../grammar/durations.ts'
import { heldMessage } from '../leases.ts'
import type { OfCluster, OfNode, TextsOf } from '../steps/coded.ts'

type Named = { readonly name: string }
type Holder = Parameters<typeof heldMessage>[1]
/** `task`: Nova's task, null without one. */
type State = { readonly status: string; readonly task: string | null; readonly host: string | null }
type Taken = { readonly remedy: InstanceRemedy; readonly reason: string }

/** Refusals to reset or to shut down an instance by hand, and what the journal keeps of it. */
export const INSTANCE_REMEDIES_REASONS = {
  NoInstancesToHelp: ({ cluster }: OfCluster) =>
    `${cluster} has no OpenStack credentials, so Lockkeeper cannot change instances.`,
  SayWhyByHand: ({ cluster }: OfCluster) =>
    `${cluster} is a production cloud: give a reason (--reason TEXT). Nothing was changed.`,
  InstanceCellSilent: ({ name }: Named) =>
    `The state of ${name} cannot be read: its Nova cell does not answer. Nothing was changed.`,
  InstanceIsElsewhere: ({
    name,
    host,
    shown,
  }: Named & { readonly host: string | null; readonly shown: string | null }) =>
    `${name} is on ${host ?? 'no node'} now, not on ${shown ?? 'no node'}. Nothing was changed.`,
  InstanceHasChanged: ({ name, now, shown }: Named & { readonly now: string; readonly shown: string }) =>
    `${name} is ${now} now, not ${shown}. Nothing was changed.`,
  InstanceNotInError: ({ name }: Named) => `${name} is not in ERROR. Nothing was changed.`,
  InstanceMoves: ({ name, task }: Named & { readonly task: string }) =>
    `Nova moves or rebuilds ${name} (${task}). Nothing was changed.`,
  TaskMayBeAtWork: ({ name, task, agoMs }: Named & { readonly task: string; readonly agoMs: number }) =>
    `Nova changed ${name} ${durationWords(agoMs)} ago: its task ${task} may still run. Try again after 10 min without a change.`,
  StopNeedsNoTask: ({ name, task }: Named & { readonly task: string }) =>
    `Nova does not stop ${name} during its task ${task}. Reset its state first.`,
  RemedyHeld: ({ node, holder }: OfNode & { readonly holder: Holder }) =>
    `${heldMessage(node, holder)} Nothing was changed.`,
  RemedyHadNoEffect: ({ name, now }: Named & { readonly now: string }) =>
    `Nova accepted the request, but ${name} is ${now}.`,
  /** The state of an instance before a remedy. */
  InstanceWas: (state: State) => stateWords(state),
  RemedyToBeTaken: ({ remedy, reason }: Taken) => withReason(`${ASKED[remedy]}, requested`, reason),
  RemedyTaken: ({ remedy, reason, ...state }: Taken & State) =>
    withReason(`${ASKED[remedy]}: ${stateWords(state)}`, reason),
} satisfies TextsOf<string>

const ASKED: Readonly<Record<InstanceRemedy, string>> = { 'reset-state': 'state reset', stop: 'shut down' }

function stateWords({ status, task, host }: State): string {
  return `${status}${task === null ? '' : ` (${task})`} on ${host ?? 'no node'}`
}

function withReason(what: string, reason: string): string {
  return reason === '' ? what : `${what}. Reason: ${reason}`
}
