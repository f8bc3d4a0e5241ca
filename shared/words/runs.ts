import { type Placed, planSubject, type RunKind } from '../domain/plan.ts'
import type { StepState } from '../domain/run.ts'
import type { NodeAdvance, RunAdvance } from '../domain/run-advance.ts'
import type { RunCondition } from '../domain/run-condition.ts'
import type { RunWait } from '../domain/run-wait.ts'
import { conditionWord, WAIT_WORDS } from './conditions.ts'
import { verdictNamed } from './node-verdict.ts'

/** The condition of a run with a capital. */
export function conditionTitle(condition: RunCondition): string {
  const word = conditionWord(condition)
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}

/** The states of a step. */
export const STEP_STATE_WORDS: Readonly<Record<StepState, string>> = {
  pending: 'not started',
  ready: 'checked',
  blocked: 'blocked',
  overridden: 'overridden',
  'nothing-to-do': 'nothing to do',
  applying: 'working',
  waiting: 'needs you',
  applied: 'done, not verified',
  verified: 'verified',
  'cannot-tell': 'cannot tell',
  failed: 'failed',
  skipped: 'skipped',
}

/** The states of a node in a run over several. */
export const NODE_STATE_WORDS: Readonly<Record<NodeAdvance['state'], string>> = {
  pending: 'not started',
  'at-work': 'running',
  waits: 'waits',
  failed: 'failed',
  'broken-off': 'stopped',
  done: 'done',
  skipped: 'skipped',
}

/** The names of the actions of runs, also on buttons, in menus and in the palette. */
export const RUN_KIND_WORDS: Readonly<Record<RunKind, string>> = {
  enter: 'Take out of service',
  leave: 'Bring back into service',
  maintain: 'Take out, then bring back',
  home: 'Bring its instances back',
  undo: 'Undo a run',
  rescue: 'Rescue its instances',
  update: 'Update the cloud',
  'rolling-maintenance': 'One after another, and back',
  'take-out': 'Take several out of service',
}

/** A title with the name apart, so that a face can set it as a name: `Taking`, `cmp-02`, `out of service`. */
export type NamedTitle = readonly [before: string, name: string, after: string]

/** The subject of a run: `Take`, `cmp-02`, `out of service`. */
export function kindTitle(run: Placed): NamedTitle {
  const name = planSubject(run)
  switch (run.kind) {
    case 'enter':
      return ['Take', name, 'out of service']
    case 'leave':
      return ['Bring', name, 'back into service']
    case 'maintain':
      return ['Maintain', name, '']
    case 'home':
      return ['Bring back the instances of', name, '']
    case 'undo':
      return ['Undo a run on', name, '']
    case 'rescue':
      return ['Rescue the instances of', name, '']
    case 'update':
      return ['Update', name, '']
    case 'rolling-maintenance':
      return ['Maintain nodes of', name, '']
    case 'take-out':
      return ['Take nodes of', name, 'out of service']
  }
}

/** What a run does now: `Taking`, `cmp-02`, `out of service`. */
export function doingTitle(run: Placed): NamedTitle {
  const name = planSubject(run)
  switch (run.kind) {
    case 'enter':
      return ['Taking', name, 'out of service']
    case 'leave':
      return ['Bringing', name, 'back into service']
    case 'maintain':
      return ['Maintaining', name, '']
    case 'home':
      return ['Bringing back the instances of', name, '']
    case 'undo':
      return ['Undoing a run on', name, '']
    case 'rescue':
      return ['Rescuing the instances of', name, '']
    case 'update':
      return ['Updating', name, '']
    case 'rolling-maintenance':
      return ['Maintaining nodes of', name, '']
    case 'take-out':
      return ['Taking nodes of', name, 'out of service']
  }
}

/** What a run waits for: `Waits for the owner of`, `ledger-01`; `ledger-01`, `needs you`. */
function waitTitle(wait: RunWait): NamedTitle {
  const { for: whom, node } = wait
  const [first, ...others] = isAboutInstances(wait) ? wait.instances : []
  const word = WAIT_WORDS[whom]
  const title = `${word.charAt(0).toUpperCase()}${word.slice(1)}`
  if (first === undefined) {
    if (node === null) return [title, '', '']
    return needsYou(wait) ? ['', node, word] : [`${title} on`, node, '']
  }
  // Only instances left to owners wait for them; any operator may answer a question about an instance.
  if (whom !== 'owner')
    return others.length === 0 ? ['', first.name, word] : ['', first.name, `and ${others.length} more need you`]
  if (others.length === 0) return ['Waits for the owner of', first.name, '']
  return ['Waits for the owners of', first.name, `and ${others.length} more`]
}

function needsYou({ for: whom }: RunWait): boolean {
  return whom === 'answer' || whom === 'operator'
}

/** Whether the wait is about named instances; a stalled migration is a problem of the node. */
function isAboutInstances({ code, instances }: RunWait): boolean {
  return instances.length > 0 && (code === 'LeftToOwners' || code === 'InstanceAsks')
}

/** Within a sentence or a row: `waits for the owner of ledger-01`. */
export function waitWords(wait: RunWait): string {
  const title = isAboutInstances(wait) ? waitTitle(wait).filter(Boolean).join(' ') : WAIT_WORDS[wait.for]
  // A name keeps its letters.
  return needsYou(wait) ? title : `${title.charAt(0).toLowerCase()}${title.slice(1)}`
}

/** A run with its work or its wait. */
export function runTitle(run: Placed & { readonly condition: RunCondition }): NamedTitle {
  const { condition } = run
  const [before, name, after] = doingTitle(run)
  switch (condition.kind) {
    case 'moving':
      return [before, name, after]
    case 'waiting': {
      const [first] = condition.waits
      return first === undefined ? ['Waits', '', ''] : waitTitle(first)
    }
    case 'starting':
    case 'paused':
    case 'aborting':
    case 'interrupted':
    case 'unheard':
      return aside(condition, [before, name, after])
    case 'over':
      // The verdict on the node says more than the end of the run.
      return 'verdict' in condition.ending
        ? verdictNamed(name, condition.ending.verdict)
        : aside(condition, [before, name, after])
  }
}

/** A run that does not move: its condition, and its subject. */
function aside(condition: RunCondition, [before, name, after]: NamedTitle): NamedTitle {
  return [`${conditionTitle(condition)}: ${before.charAt(0).toLowerCase()}${before.slice(1)}`, name, after]
}

const ADVANCE_WORDS: Readonly<Record<RunAdvance['of'], readonly [singular: string, plural: string]>> = {
  nodes: ['node done', 'nodes done'],
  moves: ['instance moved', 'instances moved'],
  stops: ['instance stopped', 'instances stopped'],
  pods: ['pod gone', 'pods gone'],
  steps: ['step done', 'steps done'],
}

/** The progress of a run: `5 of 16 nodes done`. */
export function advanceWords({ done, total, of }: RunAdvance): string {
  return `${done} of ${total} ${ADVANCE_WORDS[of][total === 1 ? 0 : 1]}`
}
