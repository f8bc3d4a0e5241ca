import type { BatchOptions } from '../../../shared/domain/batches.ts'
import { type LeftNode, WindowPlan } from '../../../shared/domain/window.ts'
import { readDraft, type UpdateDraft, draftOf as updateDraftOf } from '../../ui/plan/update-draft.ts'
import { type BatchBoard, NO_BATCHES } from './batch-board.ts'

type BatchesPlan = Extract<WindowPlan, { kind: 'batches' }>

/** Batches as edited, possibly empty. */
export interface BatchesDraft extends Omit<BatchesPlan, 'kind' | 'batches' | 'left' | 'wish'> {
  readonly board: BatchBoard
  readonly wish: BatchOptions
  /** Why main left nodes out; a node that the operator left out is not in it. */
  readonly whyLeft: readonly LeftNode[]
}

/** The purpose of a window, as edited; each kind keeps its choices while another is shown. */
export interface PlanDraft {
  readonly kind: WindowPlan['kind']
  readonly batches: BatchesDraft
  /** Null before main's proposal. */
  readonly update: UpdateDraft | null
}

/** The plan of a draft, or what is still missing. */
export type PlanReading =
  | { readonly kind: 'ready'; readonly plan: WindowPlan }
  | { readonly kind: 'unfinished'; readonly problems: readonly string[] }

const NEW_BATCHES: BatchesDraft = {
  scope: 'os',
  work: { kind: 'boot-id' },
  workMinutes: null,
  pauseBetweenBatches: false,
  board: NO_BATCHES,
  wish: { zones: 'one-at-a-time', atOnce: { compute: 1 } },
  whyLeft: [],
}

/** No plan yet: the operator starts runs one by one. */
export const NO_PLAN: PlanDraft = { kind: 'open', batches: NEW_BATCHES, update: null }

export function planDraftOf(plan: WindowPlan): PlanDraft {
  switch (plan.kind) {
    case 'open':
      return NO_PLAN
    case 'update':
      return { ...NO_PLAN, kind: 'update', update: updateDraftOf(plan.update) }
    case 'batches': {
      const { kind, batches, wish = { ...NEW_BATCHES.wish, atOnce: {} }, left = [], ...rest } = plan
      const board = { batches: batches.map(({ nodes }) => nodes), leftOut: left.map(({ node }) => node) }
      return { ...NO_PLAN, kind, batches: { ...NEW_BATCHES, ...rest, wish, board, whyLeft: left } }
    }
  }
}

/** Reads a draft. `nodes` lists the cluster's nodes; null while unknown. */
export function readPlanDraft(draft: PlanDraft, nodes: readonly string[] | null): PlanReading {
  switch (draft.kind) {
    case 'open':
      return { kind: 'ready', plan: { kind: 'open' } }
    case 'update': {
      if (draft.update === null) return { kind: 'unfinished', problems: ['The update is not proposed yet.'] }
      const read = readDraft(draft.update, nodes)
      return read.kind === 'ready' ? { kind: 'ready', plan: { kind: 'update', update: read.options } } : read
    }
    case 'batches':
      return readBatches(draft.batches)
  }
}

function readBatches({ board, whyLeft, ...rest }: BatchesDraft): PlanReading {
  if (board.batches.length === 0) {
    return { kind: 'unfinished', problems: ['Choose nodes, then let Lockkeeper suggest batches.'] }
  }
  const left = board.leftOut.map(node => whyLeft.find(each => each.node === node) ?? { node, why: '' })
  const read = WindowPlan.safeParse({
    ...rest,
    ...(left.length === 0 ? {} : { left }),
    kind: 'batches',
    batches: board.batches.map(nodes => ({ nodes: [...nodes] })),
  })
  return read.success
    ? { kind: 'ready', plan: read.data }
    : {
        kind: 'unfinished',
        problems: read.error.issues.map(({ path }) => `${WORDS[String(path[0])] ?? path.join('.')} is incomplete.`),
      }
}

const WORDS: Readonly<Record<string, string>> = {
  work: 'How Lockkeeper knows that the work on a node has ended',
  workMinutes: 'How long the work on a node takes',
}
