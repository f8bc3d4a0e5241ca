import { ATTEMPTS_ANNOTATION, migrationAttempts } from '../../../../shared/domain/instance-policy.ts'
import { mapLimited } from '../../../../shared/domain/map-limited.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { INSTANCE_MOVED, subjectName } from '../../../../shared/domain/run-facts.ts'
import type { Evidence } from '../../../../shared/domain/step-answers.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { itemsOf, labelOf, namesOf } from '../../../../shared/words/steps/coded.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import {
  applied,
  asks,
  blocked,
  cannotAsk,
  cannotTell,
  cannotVerify,
  done,
  evidence,
  fails,
  holds,
  ready,
} from '../../answers.ts'
import { cloudOf, isOverridden, type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { readMachine } from '../general/machine-outside.ts'
import {
  type ClassifiedInstance,
  type ComputeHost,
  instanceSubject,
  leavesNow,
  readComputeHost,
} from './classify-instances.ts'
import { evacuate } from './evacuation.ts'
import { decidedToStay, statusesBefore, stoppedByRun } from './evacuation-facts.ts'
import { placeForecast } from './forecast.ts'
import { instanceFound, noteInstancesOn } from './note-instances.ts'
import { countedInstances, listedOf, proofBlockers, proofVerdict, proveInstances } from './prove-instances.ts'
import { cloudAsked, leavingOf, readDestinations } from './read-destinations.ts'

/** Moves every instance that must not go down with the node, live unless the operator chose otherwise (seed 000; docs/domain.md A.5, A.6, B.2). */
export const migrateInstances: Step<MaintenanceWorld> = {
  kind: 'migrate-instances',
  role: 'compute',
  risk: 'disruptive',
  ...stepText('migrate-instances'),
  verifyEarly: true,
  withinMs: 12 * 3_600_000,
  verifyEveryMs: 1_000,
  check: async (input, ctx) => {
    const host = await readComputeHost(nodeOf(input), ctx)
    if (!host.ok) return cannotAsk(thing('InstancesOnNode', { node: nodeOf(input) }), host.failure)
    const moving = host.value.instances.filter(({ policy }) => leavesNow(policy))
    const stopping = moving.filter(({ policy }) => policy.action === 'stop').length
    const limits = migrationAttempts(
      host.value.node.annotations[ATTEMPTS_ANNOTATION] ?? null,
      ctx.world.cluster.limits.migrationAttempts,
    )
    const more = {
      counted: countedInstances(host.value.instances.map(({ instance }) => instance)),
      warnings: limits.note === null ? [] : [found('AttemptsAnnotation', limits.note)],
      evidence: [
        evidence(`instances on ${host.value.service.host}`, ctx.at(), {
          toMove: moving.map(({ instance }) => instance.id),
        }),
      ],
    }
    const own = ctx.history().some(fact => fact.announces)
    const left = instancesLeft(host.value, ctx)
    if (moving.length === 0 && !own && left.length === 0) {
      const blockers = proofBlockers(await proveInstances(listedOf(host.value), ctx))
      return blockers.length > 0 ? blocked(blockers, more) : done(found('NoInstanceHasToMove'), more)
    }
    const stranded = await countStranded(host.value, ctx)
    const leaving = found('InstancesLeaving', {
      moving: moving.length - stopping,
      stopping,
      stranded,
      isForced: isOverridden(ctx, 'force'),
      waiting: moving.length === 0 ? left.length : 0,
      atOnce: ctx.options.concurrency,
      attempts: ctx.options.attempts ?? limits.attempts,
    })
    return ready(leaving, more)
  },
  apply: async (input, ctx) => {
    const node = await readMachine(nodeOf(input), ctx.world, ctx.signal)
    if (!node.ok) return ctx.signal.aborted ? { kind: 'stopped' } : { kind: 'failed', failure: node.failure }
    const annotated = migrationAttempts(
      node.value.annotations[ATTEMPTS_ANNOTATION] ?? null,
      ctx.world.cluster.limits.migrationAttempts,
    )
    const limits = { concurrency: ctx.options.concurrency, attempts: ctx.options.attempts ?? annotated.attempts }
    const answer = await evacuate(nodeOf(input), limits, ctx)
    switch (answer.kind) {
      case 'emptied':
        return applied(
          found('HostEmptied', {
            moved: answer.moved,
            stopped: namesOf(stoppedByRun(ctx.history())),
            before: ctx.counted().length,
            left: namesOf(leftAsDecided(ctx)),
          }),
        )
      case 'failed':
        return { kind: 'failed', failure: answer.failure }
      case 'stopped':
        return { kind: 'stopped' }
      case 'unresolved':
        // The operator may skip this step: the note then shows how the remaining instances were left.
        await noteInstancesOn(nodeOf(input), ctx)
        return asks(
          found('InstancesNotMoved', {
            node: nodeOf(input),
            instances: itemsOf(answer.instances),
          }),
          ['retry', 'skip', 'abort'],
        )
    }
  },
  verify: async (input, ctx) => {
    const node = nodeOf(input)
    const host = await readComputeHost(node, ctx)
    if (!host.ok) return cannotVerify(thing('InstancesOnNode', { node }), host.failure)
    if (host.value.unreachable.length > 0) {
      return cannotTell(fault('CellSilent', { cause: host.value.unreachable.join('; ') }), [])
    }
    const left = instancesLeft(host.value, ctx)
    const staying = host.value.instances.filter(each => !left.includes(each))
    const read = evidence(`instances on ${host.value.service.host}`, ctx.at(), {
      stoppedByRun: [...stoppedByRun(ctx.history())],
      left: left.map(({ instance }) => ({ id: instance.id, name: instance.name, status: instance.status })),
      staying: staying.map(({ instance }) => instance.id),
    })
    if (left.length > 0) {
      const instances = namesOf(left.map(({ instance }) => labelOf(instance)))
      return fails(fault('InstancesLeft', { host: host.value.service.host, instances }), [read])
    }
    const proof = await proveInstances(listedOf(host.value), ctx)
    const doubt = proofVerdict(proof, [read])
    if (doubt !== null) return doubt
    // The report shows how every instance was left, including those that stay.
    const stay = staying.map(({ instance }) => instanceFound(instance, ctx))
    // Instances that have left were read for the proof.
    const now = proof.kind === 'proved' ? proof.read : new Map<string, Instance>()
    return verifyMoved(host.value.service.host, now, [read, proof.evidence, ...stay], ctx)
  },
}

/** Instances that still have to leave, also those that Nova already moves or that wait for their owner. */
function instancesLeft(host: ComputeHost, ctx: MaintenanceContext): readonly ClassifiedInstance[] {
  const stay = decidedToStay(ctx.history())
  return host.instances.filter(
    ({ instance, policy }) =>
      !stay.has(instance.id) &&
      (leavesNow(policy) ||
        ((policy.action === 'blocked' || policy.action === 'notify') && !isOverridden(ctx, 'force'))),
  )
}

/** How many instances have no destination, by the rules of the check that blocks for them. */
async function countStranded({ service, services, instances }: ComputeHost, ctx: MaintenanceContext): Promise<number> {
  const leaving = leavingOf(instances)
  if (leaving.length === 0) return 0
  const { known } = await readDestinations({ source: service, services, leaving }, cloudAsked(ctx), ctx.signal)
  return leaving.filter(({ instance }) => placeForecast(instance, known).mayGoTo.length === 0).length
}

function leftAsDecided(ctx: MaintenanceContext): readonly string[] {
  return [...decidedToStay(ctx.history())].map(id => {
    const reported = ctx.history().findLast(({ subject }) => subject === instanceSubject(id))
    return labelOf({ id, name: reported === undefined ? id : subjectName(reported) })
  })
}

/** Each moved instance has its old state on another host. Later changes by its owner are reported and do not fail the run. */
async function verifyMoved(
  host: string,
  readNow: ReadonlyMap<string, Instance>,
  read: readonly Evidence[],
  ctx: MaintenanceContext,
) {
  const stay = decidedToStay(ctx.history())
  const before = new Map([...statusesBefore(ctx.history())].filter(([id]) => !stay.has(id)))
  const seen = [...read]
  const wrong: (Pick<Instance, 'name' | 'id' | 'status' | 'host'> & { readonly before: string })[] = []
  const looks = await mapLimited([...before], LOOKS_AT_ONCE, async ([id, status]) => {
    const known = readNow.get(id)
    return { id, status, now: known === undefined ? await cloudOf(ctx).getInstance(id, ctx.signal) : ok(known) }
  })
  for (const { id, status, now } of looks) {
    if (!now.ok) {
      if (now.failure.code === 'not-found') continue
      return cannotVerify(thing('InstanceOf', { id }), now.failure)
    }
    seen.push(
      evidence(`server/${id} (${now.value.name})`, ctx.at(), {
        before: status,
        now: now.value.status,
        host: now.value.host,
        powerState: now.value.powerState,
      }),
    )
    if (now.value.status === status && now.value.host !== null && now.value.host !== host) continue
    if (now.value.host !== host && (await ownerChanged(now.value, ctx))) continue
    wrong.push({ name: now.value.name, id, before: status, status: now.value.status, host: now.value.host })
  }
  if (wrong.length > 0) {
    return fails(fault('MovedChanged', { instances: itemsOf(wrong) }), seen)
  }
  return holds(
    before.size === 0 ? found('NoneHadToMove', { host }) : found('InstancesMoved', { moved: before.size }),
    seen,
  )
}

const LOOKS_AT_ONCE = 8

/** Entries that a move itself leaves in Nova's log of actions. */
const OWN_ACTIONS: ReadonlySet<string> = new Set([
  'live-migration',
  'live_migration_cancel',
  'live_migration_force_complete',
  'migrate',
  'confirmResize',
])

async function ownerChanged(instance: Instance, ctx: MaintenanceContext): Promise<boolean> {
  const movedAt = ctx
    .history()
    .findLast(fact => fact.fact === INSTANCE_MOVED && fact.subject === `server/${instance.id}`)?.at
  if (movedAt === undefined || instance.status === 'ERROR') return false
  const actions = await cloudOf(ctx).instanceActions(instance.id, ctx.signal)
  return (
    actions.ok &&
    actions.value.some(
      action => !OWN_ACTIONS.has(action.action) && Date.parse(action.startedAt) >= Date.parse(movedAt) - 1_000,
    )
  )
}
