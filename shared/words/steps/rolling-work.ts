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

/** What a node shows when its work is over. */
export type WorkGoal = Extract<NodeWorkGate, { kind: 'boot-id' | 'kubelet-version' | 'os-image' }>

/** What a node runs. */
type NodeRuns = { readonly bootId: string; readonly kubelet: string; readonly osImage: string }

/** What a command of the operator's is for: the work on a node, or the update of an application. */
export type CommandFor = { readonly kind: 'node' | 'application'; readonly name: string }

/** A command of the operator's on this machine; `file`: where what it prints is kept. */
type OfCommand = CommandFor & { readonly file: string }
type MayRun = CommandFor & { readonly machine: string; readonly group: number | null }
/** The code of a cause that is ours. */
type CodedCause = { readonly why: Finding }
type OfJob = { readonly namespace: string; readonly name: string }

function forText({ kind, name }: CommandFor): string {
  return kind === 'node' ? `the work on ${name}` : `the update of ${name}`
}

/** `2026-05-04 16:00 +02:00, when window Kernels ends`. */
function untilText({ title, at, timeZone }: WindowEnd): string {
  return `${zonedText(at, timeZone)}, when window ${title} ends`
}

/** The window is over, and what was waited for is not there. */
function overText({ title, at, timeZone }: WindowEnd, { what }: WaitsFor): string {
  return `Window ${title} is over: it ended at ${zonedText(at, timeZone)}. It waits for ${what.message}.`
}

/** How the work is known to be over, in a few words. */
function workText({ work }: Values): string {
  const gate = NodeWork.safeParse(work).data
  if (gate === undefined) return 'until it is over'
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

/** What the steps of the work on a node are. */
export const WORK_STEPS = {
  'node-ready-again': {
    title: input => `Wait until ${nodeIn(input)} is Ready again`,
    why: 'Services on the node may have been restarted, or the node rebooted; it has to report before it gets pods.',
    undo: 'Nothing to undo: it only waits.',
  },
  'node-work': {
    title: input => `Work on ${nodeIn(input)}: ${workText(input)}`,
    why: 'The node is drained and held by no application: it is updated now. Services on it may be restarted.',
    undo: 'Lockkeeper does not know what was done to the node.',
  },
  'note-node': {
    title: input => `Note boot id, kubelet and OS image of ${nodeIn(input)}`,
    why: 'Whether the work was done is told from what the node ran before.',
  },
} satisfies StepTexts

/** `kept` false: what was to note the end of the command is gone; null: this machine does not tell whether it is still the same. */
type Running = OfCommand & {
  readonly group: number
  readonly kept: boolean | null
  readonly until: WindowEnd | null
}

function keptText(kept: boolean | null): string {
  if (kept === true) return ''
  return kept === false
    ? '; what was to note its end is gone, so that nobody will know how it ends'
    : '; whether it is still the same, this machine does not tell'
}

function othersText(group: number | null): string {
  return group === null ? '' : ` Processes that it started go on, in process group ${group}.`
}

/** What the steps of the work on a node find. */
export const WORK_FINDINGS = {
  /** A phrase. `readiness`: what the node says of it. */
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
  /** `others`: the process group of what it started and is still there. */
  CommandSucceeded: ({ kind, name, others }: CommandFor & { readonly others: number | null }) =>
    `The command of ${forText({ kind, name })} ended with exit code 0.${othersText(others)}`,
  /** A phrase. */
  CommandRuns: ({ kind, name, group, kept, until, file }: Running) =>
    `the command of ${forText({ kind, name })} (process group ${group}${keptText(kept)})${until === null ? '' : `, until ${untilText(until)}`}; what it prints is in ${file}`,
} satisfies TextsOf<string>

function runAgain({ kind, name, file }: OfCommand): string {
  const skipped = kind === 'node' ? 'goes on as if its work were done' : `goes on as if ${name} were updated`
  return `What it printed last is in ${file}. Retry runs it once more; skip, with a reason, ${skipped}.`
}

const NOT_RUN_AGAIN = 'Retry looks again; while it may go on, it is neither run again nor passed.'

function exitText({ code, signal }: { readonly code: number | null; readonly signal: string | null }): string {
  return code === null ? `was ended by ${signal ?? 'a signal'}` : `ended with exit code ${code}`
}

function ofJob({ namespace, name }: OfJob): string {
  return `Look at its pods (kubectl -n ${namespace} logs job/${name}). Retry runs it anew, continue goes on as if it had worked.`
}

const NODE_WORK_REMEDY =
  'Do the work on the node and retry, or continue if it is done although the node does not show it.'

/** What is asked while a node is worked on. */
export const WORK_FAULTS = {
  /** `left`: what is still on the node; null: nothing, or the question was asked before. */
  NodeAwaitsWork: ({
    node,
    until,
    left,
  }: OfNode & { readonly until: WindowEnd | null; readonly left: NodeVerdict | null }) => ({
    message: `${node} is drained and may be worked on${until === null ? '' : ` until ${untilText(until)}`}.${left === null ? '' : ` ${verdictDetail(left)}`}`,
    remedy: 'Continue when the work is done; it is brought back then.',
  }),
  NodeStaysNotReady: (quiet: Quiet) => ({
    message: quietText(quiet),
    remedy: 'Look whether the machine is up and its kubelet runs, then retry.',
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
    remedy: 'Retry waits for it on; continue brings the node back, and it may still run there.',
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
    message: `The manifest of the work on a node cannot be used: ${manifestText(why)}.`,
    remedy: 'Give one Job of batch/v1.',
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
  /** It failed, and what it started is still there in a process group. */
  CommandFailedOthersRun: ({
    kind,
    name,
    machine,
    group,
    code,
    signal,
  }: MayRun & { readonly code: number | null; readonly signal: string | null }) => ({
    message: `The command of ${forText({ kind, name })} ${exitText({ code, signal })}.${othersText(group)}`,
    remedy: `Retry looks again; while they go on, it is neither run again nor passed. ${howToEnd({ machine, group })}`,
  }),
  /** `cause`: what of it was seen, with its code in `why`; null: it was gone before this console. */
  CommandEndUnseen: ({
    kind,
    name,
    file,
    cause,
  }: OfCommand & { readonly cause: string | null; readonly why: Finding | null }) => ({
    message: `The command of ${forText({ kind, name })} is gone, and nobody saw how it ended.${cause === null ? '' : ` ${cause}`}`,
    remedy: runAgain({ kind, name, file }),
  }),
  CommandStartUnseen: ({ kind, name, file }: OfCommand) => ({
    message: `The command of ${forText({ kind, name })} was about to be started when the console ended, and nothing is kept of it on this machine: nothing shows that it was, and nothing that it was not.`,
    remedy: runAgain({ kind, name, file }),
  }),
  CommandMayRun: ({ kind, name, machine, group, cause }: MayRun & Cause & CodedCause) => ({
    message: `Whether the command of ${forText({ kind, name })} is over cannot be told. ${cause}`,
    remedy: `${NOT_RUN_AGAIN} ${howToEnd({ machine, group })}`,
  }),
  CommandNotRead: ({ cause }: CommandFor & Cause) => ({ message: cause, remedy: NOT_RUN_AGAIN }),
  CommandRefused: ({ kind, name, cause }: CommandFor & Cause & CodedCause) => ({
    message: cause,
    remedy: kind === 'node' ? `Skip brings ${name} back without it.` : `Skip goes on without the update of ${name}.`,
  }),
  /** At the end of the window the command goes on. */
  CommandNotOverInWindow: ({ window, ...waits }: WaitsFor & { readonly window: WindowEnd }) => ({
    message: overText(window, waits),
    remedy: 'It is not ended by the window. Retry waits for it on; abort ends the run, and the command goes on.',
  }),
} satisfies TextsOf<FaultText>

/** Why a manifest of a Job cannot be used. */
export type ManifestFault =
  | { readonly is: 'empty' | 'several' | 'no-object' | 'no-template' }
  | { readonly is: 'not-yaml'; readonly cause: string }
  | { readonly is: 'other'; readonly objectKind: string | null; readonly api: string | null }

function manifestText(why: ManifestFault): string {
  switch (why.is) {
    case 'empty':
      return 'it is empty'
    case 'several':
      return 'it holds several documents'
    case 'not-yaml':
      return why.cause
    case 'no-object':
      return 'it is no object'
    case 'other':
      return `it is ${why.objectKind ?? 'nothing'} of ${why.api ?? 'no API'}`
    case 'no-template':
      return 'its spec has no template.spec'
  }
}
