import type { Envelope, HostModeValues, MarkResult, RequestInput, RequestOutput } from '../../shared/contract/index.ts'
import type { InstanceView } from '../../shared/domain/cluster-view.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import type { HostMode } from '../../shared/domain/instance-policy.ts'
import type { InstanceRemedy } from '../../shared/domain/instance-remedy.ts'
import { counted } from '../../shared/grammar/counts.ts'
import {
  forgetUndo,
  markStatesOf,
  putHostMode,
  putMarks,
  rememberUndo,
  sameMarks,
  settledMarks,
  type UndoEntry,
  useEdits,
  type WantedMark,
} from '../stores/edits.ts'
import { lastOf, useViews } from '../stores/views.ts'
import { askMain } from './transport.ts'

/** The limit of one request (shared/contract/node.ts). */
const AT_ONCE = 1000

/** The result of marking a selection; rows show refusals too. */
export interface MarkingOutcome {
  readonly set: number
  readonly refused: readonly { readonly id: string; readonly name: string; readonly failure: Failure }[]
  /** Undoes what was set; null if nothing was set. */
  readonly undo: UndoEntry | null
}

/** Settles edits once the live view shows them; returns a stop function. */
export function followEdits(): () => void {
  return useViews.subscribe(({ byCluster }) => {
    const { marks, hosts } = useEdits.getState()
    for (const [cluster, states] of marks) {
      const instances = states.size === 0 ? undefined : lastOf(byCluster.get(cluster))?.instances
      const settled = instances === undefined ? [] : settledMarks(states, instances)
      if (settled.length > 0) {
        putMarks(
          cluster,
          settled.map(id => [id, null]),
        )
      }
    }
    for (const [cluster, states] of hosts) {
      for (const [node, state] of states) {
        if (state.kind !== 'refused' && isShown(cluster, node, state.wanted)) putHostMode(cluster, node, null)
      }
    }
  })
}

/** Marks instances; each row shows its result. */
export async function markInstances(cluster: string, marks: readonly WantedMark[]): Promise<MarkingOutcome> {
  const outcome = await sendMarks(cluster, marks)
  if (outcome.undo !== null) rememberUndo(cluster, outcome.undo)
  return outcome
}

async function sendMarks(cluster: string, marks: readonly WantedMark[]): Promise<MarkingOutcome> {
  putMarks(
    cluster,
    marks.map(({ id, actions }) => [id, { kind: 'requested', wanted: actions }]),
  )
  const results: MarkResult[] = []
  for (let start = 0; start < marks.length; start += AT_ONCE) {
    const part = marks.slice(start, start + AT_ONCE)
    const answer = await askMain('instance.mark', {
      cluster,
      marks: part.map(({ id, actions }) => ({ id, actions: [...actions] })),
    })
    const partial = answer.ok ? answer.value.results : part.map(mark => unanswered(cluster, mark.id, answer.failure))
    receiveMarks(cluster, part, partial)
    results.push(...partial)
  }
  return outcomeOf(results)
}

function receiveMarks(cluster: string, asked: readonly WantedMark[], results: readonly MarkResult[]): void {
  const instances = lastOf(useViews.getState().byCluster.get(cluster))?.instances
  const wantedOf = new Map(asked.map(({ id, actions }) => [id, actions]))
  const atMs = Date.now()
  putMarks(
    cluster,
    results.map(({ id, after, failure }) => {
      const wanted = wantedOf.get(id) ?? after
      if (failure !== null) return [id, { kind: 'refused', wanted, failure }]
      const shown = instances?.get(id)
      const isThere = shown !== undefined && sameMarks(shown.marks, wanted)
      return [id, isThere ? null : { kind: 'confirmed', wanted, atMs }]
    }),
  )
}

function unanswered(cluster: string, id: string, failure: Failure): MarkResult {
  const instance = lastOf(useViews.getState().byCluster.get(cluster))?.instances.get(id)
  const marks = instance?.marks ?? []
  return { id, name: instance?.name ?? id, before: [...marks], after: [...marks], failure }
}

function outcomeOf(results: readonly MarkResult[]): MarkingOutcome {
  const changed = results.filter(({ before, after }) => !sameMarks(before, after))
  const first = changed[0]
  return {
    set: results.filter(({ failure }) => failure === null).length,
    refused: results.flatMap(({ id, name, failure }) => (failure === null ? [] : [{ id, name, failure }])),
    undo:
      first === undefined
        ? null
        : {
            kind: 'marks',
            words: `the mode of ${changed.length === 1 ? first.name : counted(changed.length, 'instance')}`,
            marks: changed.map(({ id, before }) => ({ id, actions: before })),
          },
  }
}

/** An instance as the operator saw it: Lockkeeper does nothing if it has changed since. */
export type ShownInstance = Pick<InstanceView, 'id' | 'name' | 'host' | 'status' | 'taskState'>

/** Resets the state of an instance, or shuts it down. */
export function remedyInstance(
  cluster: string,
  remedy: InstanceRemedy,
  { id, host, status, taskState }: ShownInstance,
  reason: string,
): Promise<Envelope<RequestOutput<'instance.remedy'>>> {
  return askMain('instance.remedy', { cluster, id, remedy, seen: { host, status, taskState }, reason })
}

/** Writes a host's migration mode or attempts; null restores the cluster's default. */
export async function setHostMode(
  cluster: string,
  node: string,
  change: { readonly mode?: HostMode | null; readonly attempts?: number | null },
): Promise<Envelope<{ readonly undo: UndoEntry | null }>> {
  const answer = await sendHostMode(cluster, node, change)
  if (!answer.ok) return answer
  const { before, after } = answer.value
  if (before.mode === after.mode && before.attempts === after.attempts) return { ok: true, value: { undo: null } }
  const undo: UndoEntry = { kind: 'host-mode', words: `the migration mode of ${node}`, node, restore: before }
  rememberUndo(cluster, undo)
  return { ok: true, value: { undo } }
}

async function sendHostMode(
  cluster: string,
  node: string,
  change: Omit<RequestInput<'node.set-mode'>, 'cluster' | 'node'>,
): Promise<Envelope<{ readonly before: HostModeValues; readonly after: HostModeValues }>> {
  const stands = statusMode(cluster, node)
  const wanted: HostModeValues = {
    mode: textOr(change.restore?.mode, change.mode, stands.mode),
    attempts: textOr(change.restore?.attempts, change.attempts, stands.attempts),
  }
  putHostMode(cluster, node, { kind: 'requested', wanted })
  const answer = await askMain('node.set-mode', { cluster, node, ...change })
  if (!answer.ok) putHostMode(cluster, node, { kind: 'refused', wanted, failure: answer.failure })
  else if (isShown(cluster, node, answer.value.after)) putHostMode(cluster, node, null)
  else putHostMode(cluster, node, { kind: 'confirmed', wanted: answer.value.after, atMs: Date.now() })
  return answer
}

/** Undoes an edit by writing the previous values. Works once, and cannot be undone. */
export async function undoEdit(cluster: string, entry: UndoEntry): Promise<MarkingOutcome | null> {
  if (!forgetUndo(cluster, entry)) return null
  if (entry.kind === 'marks') return sendMarks(cluster, entry.marks)
  const answer = await sendHostMode(cluster, entry.node, { restore: entry.restore })
  return answer.ok
    ? { set: 1, refused: [], undo: null }
    : { set: 0, refused: [{ id: entry.node, name: entry.node, failure: answer.failure }], undo: null }
}

/** Dismisses refusals that the operator has read. */
export function dismissRefusals(cluster: string, ids: readonly string[]): void {
  const states = markStatesOf(useEdits.getState(), cluster)
  putMarks(
    cluster,
    ids.filter(id => states.get(id)?.kind === 'refused').map(id => [id, null]),
  )
}

function statusMode(cluster: string, node: string): HostModeValues {
  const shown = lastOf(useViews.getState().byCluster.get(cluster))?.nodes.get(node)
  return { mode: shown?.migrationMode ?? null, attempts: shown?.migrationAttempts ?? null }
}

function isShown(cluster: string, node: string, wanted: HostModeValues): boolean {
  const stands = statusMode(cluster, node)
  return stands.mode === wanted.mode && stands.attempts === wanted.attempts
}

function textOr(
  restored: string | null | undefined,
  changed: string | number | null | undefined,
  stands: string | null,
): string | null {
  if (restored !== undefined) return restored
  if (changed === undefined) return stands
  return changed === null ? null : String(changed)
}
