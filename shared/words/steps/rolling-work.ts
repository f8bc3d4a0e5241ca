import { NodeWork } from '../../domain/command-work.ts'
import type { NodeVerdict } from '../../domain/node-verdict.ts'
import type { NodeWorkGate } from '../../domain/update.ts'
import { zonedText } from '../../grammar/times.ts'
import { verdictDetail } from '../node-verdict.ts'
import { howToEnd } from '../unseen-ends.ts'
import { seenGateWords } from '../updates.ts'
import {
  type Cause,
  type FaultText,
  type Finding,
  nodeIn,
  type OfNode,
  type StepTexts,
  type TextsOf,
  type Values,
} from './coded.ts'
import { type Quiet, quietText, type WaitsFor } from './requests-locks.ts'

/** The end of the window of a run; `at` is ISO. */
export type WindowEnd = { readonly title: string; readonly at: string; readonly timeZone: string }

/** What shows that the work on a node is done. */
export type WorkGoal = Extract<NodeWorkGate, { kind: 'boot-id' | 'kubelet-version' | 'os-image' }>

/** What a node runs. */
type NodeRuns = { readonly bootId: string; readonly kubelet: string; readonly osImage: string }

/** The purpose of an operator's command: the work on a node, or the update of an application. */
export type CommandFor = { readonly kind: 'node' | 'application'; readonly name: string }

/** An operator's command on this machine; `file` keeps its output. */
type OfCommand = CommandFor & { readonly file: string }
type MayRun = CommandFor & { readonly machine: string; readonly group: number | null }
/** The code of a cause that Lockkeeper itself found. */
type CodedCause = { readonly why: Finding }
type OfJob = { readonly namespace: string; readonly name: string }

function forText({ kind, name }: CommandFor): string {
  return kind === 'node' ? `the work on ${name}` : `the update of ${name}`
}

/** `2026-05-04 16:00 +02:00, when window Kernels ends`. */
function untilText({ title, at, timeZone }: WindowEnd): string {
  return `${zonedText(at, timeZone)}, when window ${title} ends`
}

/** The window has ended, but the awaited result is missing. */
function overText({ title, at, timeZone }: WindowEnd, { what }: WaitsFor): string {
  return `Window ${title} ended at ${zonedText(at, timeZone)}. The run still waits for ${what.message}.`
}

/** The sign that the work is done. */
function workText({ work }: Values): string {
  const gate = NodeWork.safeParse(work).data
  if (gate === undefined) return 'until it is done'
  switch (gate.kind) {
    case 'job':
      return 'a Job of your manifest runs on it'
    case 'command':
      return `this machine runs \`${gate.command}\``
    default:
      return seenGateWords(gate)
  }
}

function goalText(goal: WorkGoal): string {
  switch (goal.kind) {
    case 'boot-id':
      return 'with another boot id'
    case 'kubelet-version':
      return `with kubelet ${goal.version}`
    case 'os-image':
      return `with an OS image "${goal.contains}"`
  }
}

function runsText({ bootId, kubelet, osImage }: NodeRuns): string {
  return `boot id ${bootId}, kubelet ${kubelet}, ${osImage}`
}

export const WORK_STEPS = {
  'node-ready-again': {
    title: input => `Wait until ${nodeIn(input)} is Ready again`,
    why: 'The work may have restarted services or rebooted the node; it must report before it gets pods.',
    undo: 'Nothing to undo: it only waits.',
  },
  'node-work': {
    title: input => `Work on ${nodeIn(input)}: ${workText(input)}`,
    why: 'The node is drained and all applications released it, so the work happens now. It may restart services on the node.',
    undo: 'Lockkeeper does not know what the work changed on the node.',
  },
  'note-node': {
    title: input => `Record boot id, kubelet and OS image of ${nodeIn(input)}`,
    why: 'Lockkeeper compares these values later to see whether the work was done.',
  },
} satisfies StepTexts

/** `kept` false: the process that records the end of the command is gone; null if this machine cannot tell whether it is the same process. */
type Running = OfCommand & {
  readonly group: number
  readonly kept: boolean | null
  readonly until: WindowEnd | null
}

function keptText(kept: boolean | null): string {
  if (kept === true) return ''
  return kept === false
    ? '; the process that records its result is gone, so its result will stay unknown'
    : '; this machine cannot tell whether it is still the same process'
}

function othersText(group: number | null): string {
  return group === null ? '' : ` Processes that it started still run, in process group ${group}.`
}

export const WORK_FINDINGS = {
  /** A phrase. `readiness`: the message of its Ready condition. */
  NodeIsNotReady: ({
    node,
    isSilent,
    readiness,
  }: OfNode & { readonly isSilent: boolean; readonly readiness: string }) =>
    `${node} ${isSilent ? 'does not report' : 'is NotReady'}: ${readiness}`,
  NodeNoted: ({ bootId, kubelet, osImage }: NodeRuns) => `Boot id ${bootId}, kubelet ${kubelet}, ${osImage}.`,
  NodeIsBack: ({ node, goal, ...runs }: OfNode & NodeRuns & { readonly goal: WorkGoal }) =>
    `${node} is back ${goalText(goal)}: ${runsText(runs)}.`,
  /** A phrase. */
  NodeToComeBack: ({
    node,
    goal,
    readiness,
    ...runs
  }: OfNode & NodeRuns & { readonly goal: WorkGoal; readonly readiness: 'ready' | 'not-ready' | 'unknown' }) => {
    const state = readiness === 'ready' ? 'Ready' : readiness === 'unknown' ? 'not reporting' : 'NotReady'
    return `${node} to come back ${goalText(goal)}; it is ${state}, ${runsText(runs)}`
  },
  JobComplete: ({ namespace, name, output }: OfJob & { readonly output: string }) =>
    `Job ${namespace}/${name} is complete: ${output}.`,
  /** A phrase. */
  JobRuns: ({ namespace, name, node, output }: OfNode & OfJob & { readonly output: string }) =>
    `Job ${namespace}/${name} on ${node}: ${output}`,
  /** `others`: the process group of child processes that still run. */
  CommandSucceeded: ({ kind, name, others }: CommandFor & { readonly others: number | null }) =>
    `The command of ${forText({ kind, name })} ended with exit code 0.${othersText(others)}`,
  /** A phrase. */
  CommandRuns: ({ kind, name, group, kept, until, file }: Running) =>
    `the command of ${forText({ kind, name })} (process group ${group}${keptText(kept)})${until === null ? '' : `, until ${untilText(until)}`}; its output is in ${file}`,
} satisfies TextsOf<string>

function runAgain({ kind, name, file }: OfCommand): string {
  const skipped = kind === 'node' ? 'continues as if its work were done' : `continues as if ${name} were updated`
  return `Its last output is in ${file}. "Try again" runs it once more; "Skip", with a reason, ${skipped}.`
}

const NOT_RUN_AGAIN = '"Try again" checks again. While it may still run, Lockkeeper neither repeats nor skips it.'

function exitText({ code, signal }: { readonly code: number | null; readonly signal: string | null }): string {
  return code === null ? `was ended by ${signal ?? 'a signal'}` : `ended with exit code ${code}`
}

function ofJob({ namespace, name }: OfJob): string {
  return `Check its pods (kubectl -n ${namespace} logs job/${name}). "Try again" runs it again; "Continue" proceeds as if it had succeeded.`
}

const NODE_WORK_REMEDY =
  'Do the work on the node and try again. Continue if the work is done although the node does not show it.'

/** Questions during the work on a node. */
export const WORK_FAULTS = {
  /** `left`: what is still on the node; null means nothing, or an earlier question already listed it. */
  NodeAwaitsWork: ({
    node,
    until,
    left,
  }: OfNode & { readonly until: WindowEnd | null; readonly left: NodeVerdict | null }) => ({
    message: `${node} is drained and ready for your work${until === null ? '' : ` until ${untilText(until)}`}.${left === null ? '' : ` ${verdictDetail(left)}`}`,
    remedy: 'Continue when the work is done; Lockkeeper then brings the node back.',
  }),
  NodeStaysNotReady: (quiet: Quiet) => ({
    message: quietText(quiet),
    remedy: 'Check whether the machine is up and its kubelet runs, then try again.',
  }),
  NodeDoesNotComeBack: (quiet: Quiet) => ({ message: quietText(quiet), remedy: NODE_WORK_REMEDY }),
  NodeNotBackInWindow: ({ window, ...waits }: WaitsFor & { readonly window: WindowEnd }) => ({
    message: overText(window, waits),
    remedy: NODE_WORK_REMEDY,
  }),
  JobDoesNotEnd: ({ namespace, name, ...quiet }: Quiet & OfJob) => ({
    message: quietText(quiet),
    remedy: ofJob({ namespace, name }),
  }),
  JobNotOverInWindow: ({ window, ...waits }: WaitsFor & { readonly window: WindowEnd }) => ({
    message: overText(window, waits),
    remedy: '"Try again" keeps waiting for it. "Continue" brings the node back, although the Job may still run there.',
  }),
  JobDeleted: ({ namespace, name }: OfJob) => ({
    message: `Job ${namespace}/${name} was deleted before it ended.`,
    remedy: ofJob({ namespace, name }),
  }),
  JobFailed: ({ namespace, name, output }: OfJob & { readonly output: string }) => ({
    message: `Job ${namespace}/${name} failed: ${output}.`,
    remedy: ofJob({ namespace, name }),
  }),
  JobManifestUnusable: ({ why }: { readonly why: ManifestFault }) => ({
    message: `Lockkeeper cannot use the manifest of the work on a node: ${manifestText(why)}.`,
    remedy: 'Give the manifest of one Job (batch/v1).',
  }),
  CommandNotSucceeded: ({ kind, name, file }: OfCommand) => ({
    message: `The command of ${forText({ kind, name })} did not end with exit code 0.`,
    remedy: runAgain({ kind, name, file }),
  }),
  CommandFailedAtWork: ({
    kind,
    name,
    file,
    code,
    signal,
  }: OfCommand & { readonly code: number | null; readonly signal: string | null }) => ({
    message: `The command of ${forText({ kind, name })} ${exitText({ code, signal })}.`,
    remedy: runAgain({ kind, name, file }),
  }),
  /** The command failed, and processes that it started still run in a process group. */
  CommandFailedOthersRun: ({
    kind,
    name,
    machine,
    group,
    code,
    signal,
  }: MayRun & { readonly code: number | null; readonly signal: string | null }) => ({
    message: `The command of ${forText({ kind, name })} ${exitText({ code, signal })}.${othersText(group)}`,
    remedy: `"Try again" checks again. While they run, Lockkeeper neither repeats nor skips the command. ${howToEnd({ machine, group })}`,
  }),
  /** `cause`: what Lockkeeper saw of the command, with its code in `why`; null if it ended before this console started. */
  CommandEndUnseen: ({
    kind,
    name,
    file,
    cause,
  }: OfCommand & { readonly cause: string | null; readonly why: Finding | null }) => ({
    message: `The command of ${forText({ kind, name })} no longer runs, and its result is unknown.${cause === null ? '' : ` ${cause}`}`,
    remedy: runAgain({ kind, name, file }),
  }),
  CommandStartUnseen: ({ kind, name, file }: OfCommand) => ({
    message: `The console ended just before it started the command of ${forText({ kind, name })}. This machine has no record that shows whether the command ran.`,
    remedy: runAgain({ kind, name, file }),
  }),
  CommandMayRun: ({ kind, name, machine, group, cause }: MayRun & Cause & CodedCause) => ({
    message: `Cannot tell whether the command of ${forText({ kind, name })} has ended. ${cause}`,
    remedy: `${NOT_RUN_AGAIN} ${howToEnd({ machine, group })}`,
  }),
  CommandNotRead: ({ cause }: CommandFor & Cause) => ({ message: cause, remedy: NOT_RUN_AGAIN }),
  CommandRefused: ({ kind, name, cause }: CommandFor & Cause & CodedCause) => ({
    message: cause,
    remedy:
      kind === 'node' ? `"Skip" brings ${name} back without it.` : `"Skip" continues without the update of ${name}.`,
  }),
  /** The command continues after the end of the window. */
  CommandNotOverInWindow: ({ window, ...waits }: WaitsFor & { readonly window: WindowEnd }) => ({
    message: overText(window, waits),
    remedy:
      'The end of the window does not stop it. "Try again" keeps waiting; "Stop" ends the run, and the command continues.',
  }),
} satisfies TextsOf<FaultText>

export type ManifestFault =
  | { readonly is: 'empty' | 'several' | 'no-object' | 'no-template' }
  | { readonly is: 'not-yaml'; readonly fault: Finding }
  | { readonly is: 'other'; readonly objectKind: string | null; readonly api: string | null }

function manifestText(why: ManifestFault): string {
  switch (why.is) {
    case 'empty':
      return 'it is empty'
    case 'several':
      return 'it contains several documents'
    case 'not-yaml':
      return why.fault.message
    case 'no-object':
      return 'it is not an object'
    case 'other':
      return `it is ${why.objectKind ?? 'no kind'} of ${why.api ?? 'no API'}`
    case 'no-template':
      return 'its spec has no template.spec'
  }
}
