import { seconds } from '../../../../shared/domain/durations.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { type Fault, found, thing } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { ApplyAnswer, Step, StepInput } from '../../../runs/engine/step.ts'
import {
  applied,
  asks,
  BY_FORCE,
  blocked,
  blocker,
  cannotAsk,
  cannotVerify,
  done,
  fails,
  holds,
  ready,
} from '../../answers.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { countedOsds, idsOf, osdEvidence, readStorageNode, type StorageNode } from './storage-node.ts'
import { waitForCeph } from './storage-wait.ts'

/** What differs between bringing OSDs up and down; {@link osdsStep} has the rest. */
interface OsdDirection extends Pick<Step<MaintenanceWorld>, 'kind' | 'risk' | 'why' | 'title' | 'withinMs' | 'undo'> {
  readonly to: 'up' | 'down'
  /** Null if they can change in this world. */
  readonly impossible?: (node: string, world: MaintenanceWorld) => Fault | null
  /** OSDs whose daemon has another state than Ceph shows. Absent if not checked. */
  readonly keptOtherwise?: {
    readonly read: (read: StorageNode, ctx: MaintenanceContext) => Promise<Result<readonly number[]>>
    readonly fault: (node: string, osds: readonly number[]) => Fault
  }
  readonly warnings: (read: StorageNode, world: MaintenanceWorld, isReady: boolean) => readonly Finding[]
  readonly words: {
    readonly already: (node: string, read: StorageNode) => Finding
    readonly ready: (node: string, osds: readonly number[]) => Finding
    readonly holds: (node: string, read: StorageNode) => Finding
    readonly fails: (node: string, osds: readonly number[]) => Fault
    readonly awaited: (osds: readonly number[]) => Finding
    readonly late: (node: string, osds: readonly number[]) => Finding
    readonly applied: (node: string) => Finding
    readonly from: string
    readonly into: string
  }
  /** Why they may not change now, although the plan allowed it; null if they may. */
  readonly guard?: (node: string, read: StorageNode, ctx: MaintenanceContext) => Promise<ApplyAnswer | null>
  /** Requests the change; null if it is requested, else why not. */
  readonly request: (node: string, read: StorageNode, ctx: MaintenanceContext) => Promise<ApplyAnswer | null>
  readonly limitMs: number
}

/** Brings a node's OSDs to one state, waits for it, and verifies it (seed 004). */
export function osdsStep(direction: OsdDirection): Step<MaintenanceWorld> {
  const { kind, risk, why, title, withinMs, undo, to, words, warnings } = direction
  const keptOtherwise = direction.keptOtherwise?.read ?? (async () => ok([]))
  const isOff = ({ up }: StorageNode['own'][number]) => up !== (to === 'up')
  const withoutOsds = (node: string) => found('NoOsdsOnNode', { node })
  return {
    kind,
    role: 'storage',
    risk,
    why,
    title,
    verifyEarly: true,
    withinMs,
    verifyEveryMs: 2_000,
    undo,
    check: async (input, ctx) => {
      const node = nodeOf(input)
      const read = await readMeant(input, ctx)
      if (!read.ok) return cannotAsk(thing('NodeOsds', { node }), read.failure)
      const { own } = read.value
      const seen = { evidence: [osdEvidence(node, own, ctx)] }
      if (own.length === 0) return done(withoutOsds(node), seen)
      const impossible = direction.impossible?.(node, ctx.world) ?? null
      if (impossible !== null) return blocked([blocker(impossible, BY_FORCE)], seen)
      const off = own.filter(isOff)
      const kept = await keptOtherwise(read.value, ctx)
      if (!kept.ok) return cannotAsk(thing('NodeOsdDaemons', { node }), kept.failure)
      const withCount = { ...seen, counted: countedOsds(own) }
      if (off.length === 0 && kept.value.length === 0) {
        return done(words.already(node, read.value), { ...withCount, warnings: warnings(read.value, ctx.world, false) })
      }
      const changing = off.length > 0 ? off : own
      return ready(words.ready(node, idsOf(changing)), {
        ...withCount,
        warnings: warnings(read.value, ctx.world, true),
        effects: off.map(osd => ({
          kind: 'change',
          target: `osd.${osd.id} on ${node}`,
          from: words.from,
          to: words.into,
        })),
      })
    },
    apply: async (input, ctx) => {
      const node = nodeOf(input)
      const read = await readMeant(input, ctx)
      if (!read.ok) return { kind: 'failed', failure: read.failure }
      const refused =
        (await direction.guard?.(node, read.value, ctx)) ?? (await direction.request(node, read.value, ctx))
      return refused ?? waitForOsds(input, direction, ctx)
    },
    verify: async (input, ctx) => {
      const node = nodeOf(input)
      const read = await readMeant(input, ctx)
      if (!read.ok) return cannotVerify(thing('NodeOsds', { node }), read.failure)
      const { own } = read.value
      const seen = [osdEvidence(node, own, ctx)]
      const off = own.filter(isOff)
      if (off.length > 0) return fails(words.fails(node, idsOf(off)), seen)
      const kept = await keptOtherwise(read.value, ctx)
      if (!kept.ok) return cannotVerify(thing('NodeOsdDaemons', { node }), kept.failure)
      if (kept.value.length > 0 && direction.keptOtherwise !== undefined) {
        return fails(direction.keptOtherwise.fault(node, kept.value), seen)
      }
      return holds(own.length === 0 ? withoutOsds(node) : words.holds(node, read.value), seen)
    },
  }
}

async function readMeant(input: StepInput, ctx: MaintenanceContext): Promise<Result<StorageNode>> {
  const read = await readStorageNode(nodeOf(input), ctx)
  const { osds } = input
  if (!read.ok || !Array.isArray(osds)) return read
  return ok({ ...read.value, own: read.value.own.filter(({ id }) => osds.includes(id)) })
}

async function waitForOsds(
  input: StepInput,
  { to, limitMs, words }: Pick<OsdDirection, 'to' | 'limitMs' | 'words'>,
  ctx: MaintenanceContext,
): Promise<ApplyAnswer> {
  const node = nodeOf(input)
  const missing = async () => {
    const read = await readMeant(input, ctx)
    if (!read.ok) return read
    const others = read.value.own.filter(osd => osd.up !== (to === 'up'))
    return ok(others.length === 0 ? null : idsOf(others))
  }
  const awaited = { subject: `node/${node}`, everyMs: seconds(2), limitMs, missing, words: words.awaited }
  const ended = await waitForCeph(awaited, ctx)
  if (ended.kind === 'over') return applied(words.applied(node))
  if (ended.kind !== 'late') return ended
  return asks(words.late(node, ended.missing), ['retry', 'skip', 'abort'])
}
