import { cephAccessOf } from '../../../../shared/domain/cluster.ts'
import type { Blocker, Evidence } from '../../../../shared/domain/step-answers.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { batchNodes } from '../../../../shared/words/steps/rolling.ts'
import { BY_FORCE, blocker, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { proveOsds } from '../storage/storage-node.ts'

/** The cluster can spare a batch as a whole: checks of single nodes may pass for each but not for all. */
export const batchCanLeave = checkStep({
  kind: 'batch-can-leave',
  role: 'general',
  ...stepText('batch-can-leave'),
  check: async (input, ctx) => {
    const batch = batchNodes(input)
    const nodes = await ctx.world.kubernetes.listNodes(ctx.signal)
    if (!nodes.ok) return cannotAsk(thing('NodeList'), nodes.failure)
    const staying = nodes.value.filter(
      ({ name, readiness, unschedulable }) => !batch.includes(name) && readiness === 'ready' && !unschedulable,
    )
    const storage = await sparedByCeph(batch, ctx)
    if (!storage.ok) return cannotAsk(thing('CephCanSpareBatch'), storage.failure)
    return readyUnless(
      [
        ...(staying.length > 0
          ? []
          : [blocker(fault('LastNodesReady', { nodes: batch, cluster: ctx.world.cluster.name }), BY_FORCE)]),
        ...storage.value.blockers,
      ],
      found('BatchCanLeave', { staying: staying.length, osds: storage.value.osds }),
      {
        evidence: [
          evidence('nodes', ctx.at(), { batch: [...batch], staying: staying.map(({ name }) => name) }),
          ...storage.value.seen,
        ],
      },
    )
  },
})

interface Spared {
  readonly blockers: readonly Blocker[]
  readonly seen: readonly Evidence[]
  /** OSDs that Ceph allows to stop together. */
  readonly osds: readonly number[]
}

async function sparedByCeph(batch: readonly string[], ctx: MaintenanceContext) {
  const nothing: Spared = { blockers: [], seen: [], osds: [] }
  if (cephAccessOf(ctx.world.cluster) === 'none') return { ok: true as const, value: nothing }
  const osds = await ctx.world.ceph.osds(ctx.signal)
  if (!osds.ok) return osds
  const { world, signal } = ctx
  const proved = await proveOsds(batch, osds.value, { world, signal, counted: ctx.counted() })
  if (!proved.ok) return proved
  const running = proved.value.own.filter(({ up }) => up)
  if (running.length === 0) return { ok: true as const, value: nothing }
  const ids = running.map(({ id }) => id)
  const answer = await ctx.world.ceph.okToStop(ids, ctx.signal)
  if (!answer.ok) return answer
  const seen = evidence('ceph osd ok-to-stop', ctx.at(), {
    ok: answer.value.ok,
    osds: ids,
    message: answer.value.message,
  })
  const { message: cause } = answer.value
  const spared: Spared = answer.value.ok
    ? { blockers: [], seen: [seen], osds: ids }
    : {
        blockers: [blocker(fault('BatchOsdsNotOkToStop', { nodes: batch, osds: ids, cause }), BY_FORCE)],
        seen: [seen],
        osds: [],
      }
  return { ok: true as const, value: spared }
}
