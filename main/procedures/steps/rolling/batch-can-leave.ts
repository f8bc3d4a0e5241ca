import { cephAccessOf } from '../../../../shared/domain/cluster.ts'
import type { Blocker, Evidence } from '../../../../shared/domain/plan.ts'
import { counted, someOf } from '../../../../shared/grammar/counts.ts'
import type { StepInput } from '../../../runs/engine/step.ts'
import { BY_FORCE, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { osdNames, proveOsds } from '../storage/storage-node.ts'

/**
 * The cluster can spare the nodes of a batch together. What is asked of each node by itself (another node in service, OSDs ok to stop) may
 * hold for each and not for all of them.
 */
export const batchCanLeave = checkStep({
  kind: 'batch-can-leave',
  role: 'general',
  why: 'Nodes of a batch are out of service side by side: what each can be spared for by itself may not hold for all of them.',
  title: input => `${someOf(batchOf(input))} can be spared together`,
  check: async (input, ctx) => {
    const batch = batchOf(input)
    const nodes = await ctx.world.kubernetes.listNodes(ctx.signal)
    if (!nodes.ok) return cannotAsk('The list of nodes', nodes.failure)
    const staying = nodes.value.filter(
      ({ name, readiness, unschedulable }) => !batch.includes(name) && readiness === 'ready' && !unschedulable,
    )
    const storage = await sparedByCeph(batch, ctx)
    if (!storage.ok) return cannotAsk('Whether Ceph can spare them together', storage.failure)
    return readyUnless(
      [
        ...(staying.length > 0
          ? []
          : [
              {
                code: 'last-nodes',
                message: `Without ${someOf(batch)} no node of ${ctx.world.cluster.name} would be ready and schedulable.`,
                remedy: 'Make the batch smaller, or bring other nodes back into service first.',
                override: BY_FORCE,
              },
            ]),
        ...storage.value.blockers,
      ],
      `${counted(staying.length, 'other node')} ready and schedulable${storage.value.note}.`,
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
  readonly note: string
}

async function sparedByCeph(batch: readonly string[], ctx: MaintenanceContext) {
  const nothing: Spared = { blockers: [], seen: [], note: '' }
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
  const spared: Spared = answer.value.ok
    ? { blockers: [], seen: [seen], note: `; ${osdNames(running)} may be stopped together` }
    : {
        blockers: [
          {
            code: 'osds-not-ok-to-stop',
            message: `${osdNames(running)} of ${someOf(batch)} are not ok to stop together: ${answer.value.message}.`,
            remedy: 'Take these storage nodes in different batches.',
            override: BY_FORCE,
          },
        ],
        seen: [seen],
        note: '',
      }
  return { ok: true as const, value: spared }
}

function batchOf(input: StepInput): readonly string[] {
  const { beside } = input
  const others = Array.isArray(beside) ? beside.filter(name => typeof name === 'string') : []
  return [nodeOf(input), ...others].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}
