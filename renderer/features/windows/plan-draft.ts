import type { WavesWish } from '../../../shared/domain/waves.ts'
import { WindowPlan } from '../../../shared/domain/window.ts'
import { readDraft, type UpdateDraft, draftOf as updateDraftOf } from '../timeline/update-draft.ts'
import { NO_WAVES, type WaveBoard } from './wave-board.ts'

type WavesPlan = Extract<WindowPlan, { kind: 'waves' }>

/** Waves as they are being edited: all of a plan but its waves, which may still be none. */
export interface WavesDraft extends Omit<WavesPlan, 'kind' | 'waves' | 'wish'> {
  readonly board: WaveBoard
  readonly wish: WavesWish
}

/** What a window is for, as it is being edited; each kind keeps what was chosen while another is looked at. */
export interface PlanDraft {
  readonly kind: WindowPlan['kind']
  readonly waves: WavesDraft
  /** Null before main proposed one. */
  readonly update: UpdateDraft | null
}

/** What a draft comes to, or what is still to settle. */
export type PlanReading =
  | { readonly kind: 'ready'; readonly plan: WindowPlan }
  | { readonly kind: 'unfinished'; readonly problems: readonly string[] }

const NEW_WAVES: WavesDraft = {
  scope: 'os',
  work: { kind: 'boot-id' },
  workMinutes: null,
  pauseBetweenWaves: false,
  board: NO_WAVES,
  wish: { zones: 'one-at-a-time', atOnce: {} },
}

/** Nothing planned yet: runs are started one by one. */
export const NO_PLAN: PlanDraft = { kind: 'open', waves: NEW_WAVES, update: null }

/** A plan, to be edited. */
export function planDraftOf(plan: WindowPlan): PlanDraft {
  switch (plan.kind) {
    case 'open':
      return NO_PLAN
    case 'update':
      return { ...NO_PLAN, kind: 'update', update: updateDraftOf(plan.update) }
    case 'waves': {
      const { kind, waves, wish = NEW_WAVES.wish, ...rest } = plan
      const board = { waves: waves.map(({ nodes }) => nodes), leftOut: [] }
      return { ...NO_PLAN, kind, waves: { ...NEW_WAVES, ...rest, wish, board } }
    }
  }
}

/** Reads a draft. `nodes`: those of the cluster, null while they are not known. */
export function readPlanDraft(draft: PlanDraft, nodes: readonly string[] | null): PlanReading {
  switch (draft.kind) {
    case 'open':
      return { kind: 'ready', plan: { kind: 'open' } }
    case 'update': {
      if (draft.update === null) return { kind: 'unfinished', problems: ['The update is not proposed yet.'] }
      const read = readDraft(draft.update, nodes)
      return read.kind === 'ready' ? { kind: 'ready', plan: { kind: 'update', update: read.options } } : read
    }
    case 'waves':
      return readWaves(draft.waves)
  }
}

function readWaves({ board, ...rest }: WavesDraft): PlanReading {
  if (board.waves.length === 0) {
    return { kind: 'unfinished', problems: ['No node is in a wave yet: choose nodes, then compute the waves.'] }
  }
  const read = WindowPlan.safeParse({
    ...rest,
    kind: 'waves',
    waves: board.waves.map(nodes => ({ nodes: [...nodes] })),
  })
  return read.success
    ? { kind: 'ready', plan: read.data }
    : {
        kind: 'unfinished',
        problems: read.error.issues.map(({ path }) => `${WORDS[String(path[0])] ?? path.join('.')} is not complete.`),
      }
}

const WORDS: Readonly<Record<string, string>> = {
  work: 'How the work on a node is known to be over',
  workMinutes: 'How long the work on a node takes',
}
