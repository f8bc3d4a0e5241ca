import { minutes, seconds } from '../../../../shared/domain/durations.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import { exactNames, namesOfNode, recordNamed } from '../../../../shared/domain/machine-names.ts'
import { type FailoverHost, MASAKARI_ANNOTATION } from '../../../../shared/domain/masakari.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { WAITS_FOR } from '../../../../shared/domain/run-facts.ts'
import type { CheckAnswer, Evidence, VerifyAnswer } from '../../../../shared/domain/step-answers.ts'
import { found, thing } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { ApplyAnswer, Step } from '../../../runs/engine/step.ts'
import { cannotAsk, cannotVerify, evidence } from '../../answers.ts'
import { cloudOf, type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { readMachine } from '../general/machine-outside.ts'
import { readRunNote } from '../general/run-notes.ts'

export const MASAKARI_CHOICES = ['retry', 'skip', 'abort'] as const

/** At planning. `none`: Masakari does not watch the node; `unread`: it did not answer. */
export type MasakariState = 'watches' | 'none' | 'unread'

/** Masakari uses Nova's name of the host: the node's, that without its domain, or another. */
function failoverHostOf(node: ClusterNode, hosts: readonly FailoverHost[]): FailoverHost | null {
  return recordNamed(exactNames(namesOfNode(node)), hosts, ({ host }) => host)
}

/** `none` also where the whole cloud does not answer: other checks of the plan report that. */
export async function readMasakariStates(
  { openstack }: Pick<MaintenanceWorld, 'openstack'>,
  signal?: AbortSignal,
): Promise<(node: ClusterNode) => MasakariState> {
  if (openstack === null) return () => 'none'
  const hosts = await openstack.failoverHosts(signal)
  if (hosts.ok) return node => (failoverHostOf(node, hosts.value) === null ? 'none' : 'watches')
  const services = await openstack.computeServices(signal)
  return () => (services.ok ? 'unread' : 'none')
}

/** `note`: the run of Lockkeeper that set on_maintenance; null if none did. */
interface MasakariHost {
  readonly host: Result<FailoverHost | null>
  readonly note: string | null
}

/** A silent Masakari is part of the answer; a silent Kubernetes is a failure. */
export async function readMasakariHost(node: string, ctx: MaintenanceContext): Promise<Result<MasakariHost>> {
  const [machine, note, hosts] = await Promise.all([
    readMachine(node, ctx.world, ctx.signal),
    readRunNote(node, MASAKARI_ANNOTATION, ctx),
    cloudOf(ctx).failoverHosts(ctx.signal),
  ])
  if (!machine.ok) return machine
  if (!note.ok) return note
  return ok({ host: hosts.ok ? ok(failoverHostOf(machine.value, hosts.value)) : hosts, note: note.value })
}

/** A node as Masakari and Kubernetes show it now: each verb of a Masakari step begins with this reading. */
interface SeenByMasakari extends MasakariHost {
  readonly node: string
  readonly evidence: readonly Evidence[]
}

/** A step that changes on_maintenance of a node's host. */
export function masakariStep(
  step: Pick<Step<MaintenanceWorld>, 'kind' | 'why' | 'title' | 'undo' | 'verifyEarly'> & {
    readonly check: (seen: SeenByMasakari, ctx: MaintenanceContext) => CheckAnswer
    readonly apply: (seen: SeenByMasakari, ctx: MaintenanceContext) => Promise<ApplyAnswer>
    readonly verify: (seen: SeenByMasakari, ctx: MaintenanceContext) => VerifyAnswer
  },
): Step<MaintenanceWorld> {
  return {
    ...step,
    role: 'compute',
    risk: 'reversible',
    withinMs: 600_000,
    verifyEveryMs: 2_000,
    check: async (input, ctx) => {
      const node = nodeOf(input)
      const read = await readMasakariHost(node, ctx)
      if (!read.ok) return cannotAsk(thing('MasakariNote', { node }), read.failure)
      return step.check(seenBy(node, read.value, ctx), ctx)
    },
    apply: async (input, ctx) => {
      const node = nodeOf(input)
      const read = await readMasakariHost(node, ctx)
      return read.ok ? step.apply(seenBy(node, read.value, ctx), ctx) : { kind: 'failed', failure: read.failure }
    },
    verify: async (input, ctx) => {
      const node = nodeOf(input)
      const read = await readMasakariHost(node, ctx)
      if (!read.ok) return cannotVerify(thing('MasakariNote', { node }), read.failure)
      return step.verify(seenBy(node, read.value, ctx), ctx)
    },
  }
}

function seenBy(node: string, { host, note }: MasakariHost, ctx: MaintenanceContext): SeenByMasakari {
  if (!host.ok || host.value === null) return { node, host, note, evidence: [] }
  const { host: name, id, segmentName, onMaintenance } = host.value
  const values = { id, segment: segmentName, onMaintenance, setByRun: note }
  return { node, host, note, evidence: [evidence(`${name} in Masakari`, ctx.at(), values)] }
}

/** How long Masakari may work on a failure in the segment before the run asks the operator, and how often it is polled. */
const BUSY_MS = minutes(5)
const ASK_AGAIN_MS = seconds(5)

/** The result of a change of on_maintenance. `busy`: Masakari still works on a failure; `failed`: it refused, or did not answer. */
type Reported =
  | { readonly kind: 'told' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** Sets or clears on_maintenance. Retries for some minutes while Masakari works on a failure in the segment. */
export async function askMasakari(
  failover: FailoverHost,
  onMaintenance: boolean,
  ctx: MaintenanceContext,
): Promise<Reported> {
  const { clock, signal, stepId } = ctx
  const began = clock.monotonicMs()
  const { host, segmentName: segment } = failover
  let waits = false
  for (;;) {
    const answer = await cloudOf(ctx).setOnMaintenance(failover, onMaintenance, signal)
    if (signal.aborted) return { kind: 'stopped' }
    const isBusy = !answer.ok && answer.failure.code === 'conflict'
    if (waits !== isBusy) {
      const what = found('MasakariBusy', { host, segment })
      ctx.report(
        WAITS_FOR,
        stepId,
        isBusy ? { what: what.message, code: what.code, values: what.values } : { what: null },
      )
      waits = isBusy
    }
    if (answer.ok) return { kind: 'told' }
    if (!isBusy) return { kind: 'failed', failure: answer.failure }
    if (clock.monotonicMs() - began >= BUSY_MS) return { kind: 'busy' }
    await clock.sleep(ASK_AGAIN_MS, signal)
    if (signal.aborted) return { kind: 'stopped' }
  }
}
