import { whyNoHost } from '../../../../shared/domain/home.ts'
import { isSameMachine } from '../../../../shared/domain/machine-names.ts'
import type { ComputeService } from '../../../../shared/domain/openstack.ts'
import type { InstanceEffect } from '../../../../shared/domain/plan-effects.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { INSTANCES_NOTED, MIGRATION_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import type { VerifyAnswer } from '../../../../shared/domain/step-answers.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { type Finding, itemsOf, labelOf, namesOf } from '../../../../shared/words/steps/coded.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step, StepInput } from '../../../runs/engine/step.ts'
import { applied, asks, blocked, blocker, cannotAsk, cannotVerify, done, fails, holds, ready } from '../../answers.ts'
import { cloudOf, type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { readMachine } from '../general/machine-outside.ts'
import { instanceSubject } from './classify-instances.ts'
import { computeServiceOf } from './compute-host.ts'
import { computeServiceEvidence, noComputeService } from './compute-service.ts'
import { type Move, moveAll } from './evacuation.ts'
import { decidedToStay } from './evacuation-facts.ts'
import { awayInstances, homePolicyOf, type Judged, judgeHome } from './home-verdicts.ts'
import { instanceFound, noteInstancesOn } from './note-instances.ts'

/**
 * Moves back the instances that a maintenance moved off the node, if they fit and nobody moved them since. `opens`: an earlier step enables the host.
 */
export const bringHome: Step<MaintenanceWorld> = {
  kind: 'bring-home',
  role: 'compute',
  risk: 'disruptive',
  ...stepText('bring-home'),
  verifyEarly: false,
  withinMs: 12 * 3_600_000,
  verifyEveryMs: 1_000,
  check: async (input, ctx) => {
    const read = await readHome(input, ctx)
    if (!read.ok) return cannotAsk(thing('InstancesThatLeft', { node: nodeOf(input) }), read.failure)
    const { home, judged, unread } = read.value
    const coming = judged.filter(({ verdict }) => ON_THE_WAY.has(verdict.kind))
    const details = {
      evidence: [
        computeServiceEvidence(home, ctx),
        ...judged.flatMap(({ verdict }) => (verdict.instance === null ? [] : [instanceFound(verdict.instance, ctx)])),
      ],
      warnings: [...warningsOf(judged, home), ...unread],
      effects: judged.flatMap(effectOf),
    }
    // In a whole maintenance no instance has left during planning: the run reports them later.
    const isAhead = input.away === null && !ctx.runHistory().some(({ fact }) => fact === INSTANCES_NOTED)
    if (isAhead) return ready(found('ComesHomeAhead'), details)
    if (coming.length === 0) return done(whyNobodyComes(judged), details)
    const closed = input.opens === true ? null : whyNoHost(home)
    if (closed !== null) {
      const { host, disabledReason: reason } = home
      return blocked([blocker(fault('HomeTakesNone', { node: nodeOf(input), host, closed, reason }))], details)
    }
    const { concurrency } = ctx.options
    return ready(
      found('InstancesToBringHome', { host: home.host, instances: coming.length, atOnce: concurrency }),
      details,
    )
  },
  apply: async (input, ctx) => {
    const read = await readSettled(input, ctx)
    if (!read.ok) return ctx.signal.aborted ? { kind: 'stopped' } : { kind: 'failed', failure: read.failure }
    const { home, judged } = read.value
    if (ctx.signal.aborted) return { kind: 'stopped' }
    const moves = judged.flatMap((each): readonly Move[] => moveOf(each, home, ctx))
    const closed = whyNoHost(home)
    if (moves.length > 0 && closed !== null) {
      return asks(found('HomeIsClosed', { host: home.host, closed, reason: home.disabledReason }), CHOICES)
    }
    if (moves.length > 0) await untilPlacementOpens(home.host, ctx)
    const attempts = ctx.options.attempts ?? ctx.world.cluster.limits.migrationAttempts
    const answer = await moveAll(moves, { concurrency: ctx.options.concurrency, attempts }, ctx)
    switch (answer.kind) {
      case 'emptied': {
        await noteInstancesOn(nodeOf(input), ctx)
        return applied(found('BroughtHome', { host: home.host, moved: answer.moved, ...staysOf(judged) }))
      }
      case 'failed':
        return { kind: 'failed', failure: answer.failure }
      case 'stopped':
        return { kind: 'stopped' }
      case 'unresolved':
        return asks(
          found('NotAllBroughtHome', {
            host: home.host,
            instances: itemsOf(answer.instances),
          }),
          CHOICES,
        )
    }
  },
  verify: async (input, ctx) => {
    const read = await readHome(input, ctx)
    if (!read.ok) return cannotVerify(thing('InstancesThatLeft', { node: nodeOf(input) }), read.failure)
    return homeProof(read.value, ctx)
  },
}

/** The requested instances are back, or the operator reads what happened to them. */
function homeProof({ home, judged }: ReadHome, ctx: MaintenanceContext): VerifyAnswer {
  const seen = judged.flatMap(({ verdict }) =>
    verdict.instance === null ? [] : [instanceFound(verdict.instance, ctx)],
  )
  const there = judged.flatMap(({ verdict }) => (verdict.kind === 'there' ? [verdict.instance] : []))
  const broken = there.filter(({ status }) => status === 'ERROR')
  if (broken.length > 0) {
    return fails(fault('InErrorAtHome', { host: home.host, instances: namesOf(broken.map(labelOf)) }), seen)
  }
  const asked = new Set(ctx.history().flatMap(({ fact, subject }) => (fact === MIGRATION_REQUESTED ? [subject] : [])))
  const notHome = judged.filter(({ verdict }) => ON_THE_WAY.has(verdict.kind))
  const decided = decidedToStay(ctx.history())
  const left = notHome.filter(({ away }) => decided.has(away.id))
  const others = notHome.filter(({ away }) => !decided.has(away.id))
  const failing = others.filter(
    ({ away, verdict }) => verdict.kind === 'leaving' || asked.has(instanceSubject(away.id)),
  )
  if (failing.length > 0) {
    return fails(fault('NotHome', { host: home.host, instances: labelsOf(failing) }), seen)
  }
  if (judged.length === 0) return holds(found('NoneAway'), seen)
  // Room may have become free: other instances could return now.
  const words = { host: home.host, home: there.length, left: labelsOf(left), others: labelsOf(others) }
  return holds(found('AreHome', { ...words, ...staysOf(judged) }), seen)
}

const CHOICES = ['retry', 'skip', 'abort'] as const

/** How long Nova's scheduler may use old facts about an enabled host. */
const OPENS_WITHIN_MS = 30_000

/** Nova removes a disabled host's mark in Placement some seconds after the enable. Until then its scheduler finds no valid host. */
async function untilPlacementOpens(host: string, ctx: MaintenanceContext): Promise<void> {
  const until = ctx.clock.monotonicMs() + OPENS_WITHIN_MS
  while (!ctx.signal.aborted) {
    const closed = await cloudOf(ctx).closedHosts(ctx.signal)
    if (!closed.ok || !closed.value.some(name => isSameMachine(name, host)) || ctx.clock.monotonicMs() >= until) return
    await ctx.clock.sleep(LOOK_EVERY_MS, ctx.signal)
  }
}

interface ReadHome {
  readonly home: ComputeService
  readonly judged: readonly Judged[]
  readonly unread: readonly Finding[]
}

const ON_THE_WAY: ReadonlySet<Judged['verdict']['kind']> = new Set(['comes', 'coming', 'leaving'])

/** Waits until the maintenance's own moves have ended: instances that still leave return afterwards. */
async function readSettled(input: StepInput, ctx: MaintenanceContext): Promise<Result<ReadHome>> {
  for (;;) {
    const read = await ctx.retryTransient(`instances that left ${nodeOf(input)}`, () => readHome(input, ctx))
    if (!read.ok || ctx.signal.aborted) return read
    if (!read.value.judged.some(({ verdict }) => verdict.kind === 'leaving')) return read
    await ctx.clock.sleep(LOOK_EVERY_MS, ctx.signal)
  }
}

const LOOK_EVERY_MS = 1_000

async function readHome(input: StepInput, ctx: MaintenanceContext): Promise<Result<ReadHome>> {
  const name = nodeOf(input)
  const [node, services] = await Promise.all([
    readMachine(name, ctx.world, ctx.signal),
    cloudOf(ctx).computeServices(ctx.signal),
  ])
  if (!node.ok) return node
  if (!services.ok) return services
  const home = computeServiceOf(node.value, services.value)
  if (home === null) return failed(noComputeService(name, services.value))
  const judged = await judgeHome(awayInstances(input, home.host, ctx), home, services.value, ctx)
  return judged.ok ? ok({ home, ...judged.value }) : judged
}

function moveOf({ away, verdict }: Judged, home: ComputeService, ctx: MaintenanceContext): readonly Move[] {
  if ((verdict.kind !== 'comes' && verdict.kind !== 'coming') || away.to === null) return []
  return [{ instance: verdict.instance, from: away.to, to: home.host, policyOf: now => homePolicyOf(now, ctx) }]
}

/** The plan's line for each instance: it returns, or stays where it is. */
function effectOf({ away, verdict }: Judged): readonly InstanceEffect[] {
  if (verdict.kind === 'there' || verdict.instance === null) return []
  const { id, name, status, projectId, powerState } = verdict.instance
  const about = { kind: 'instance' as const, id, name, status, projectId, powerState }
  const moves = { ...about, action: 'live_migrate' as const, source: 'operator' as const }
  switch (verdict.kind) {
    case 'leaving':
      return [{ ...moves, reason: found('ComesHomeAfterItsMove', { home: away.home }).message, warnings: [] }]
    case 'coming':
      return [{ ...moves, reason: found('OnItsWayHome', { from: away.to }).message, warnings: [] }]
    case 'comes': {
      const { notes, policy } = verdict
      return [
        {
          ...moves,
          action: policy.action === 'cold_migrate' ? 'cold_migrate' : 'live_migrate',
          reason: found('ComesHome', { home: away.home, from: away.to }).message,
          warnings: notes.length === 0 ? [] : [found('PlaceAtHomeLessThanCertain', { notes }).message],
        },
      ]
    }
    case 'stays': {
      const { message: reason } = found('StaysWhereItIs', { why: verdict.why })
      return [{ ...about, action: 'ignore', source: 'state', reason, warnings: [] }]
    }
  }
}

function warningsOf(judged: readonly Judged[], home: ComputeService): readonly Finding[] {
  const stays = staysOf(judged)
  const comes = judged.some(({ verdict }) => verdict.kind === 'comes')
  return [
    ...(stays.staying.total === 0 ? [] : [found('InstancesStay', stays)]),
    ...(comes ? [found('MovesNameTheHost', { host: home.host })] : []),
  ]
}

function whyNobodyComes(judged: readonly Judged[]): Finding {
  if (judged.length === 0) return found('NoneAway')
  const stays = staysOf(judged)
  return stays.staying.total === 0 ? found('AllAreHome') : found('InstancesStay', stays)
}

function staysOf(judged: readonly Judged[]) {
  const stay = judged.flatMap(({ away: { id, name }, verdict }) =>
    verdict.kind === 'stays' ? [{ id, name, why: verdict.why }] : [],
  )
  return { staying: itemsOf(stay) }
}

function labelsOf(judged: readonly Judged[]) {
  return namesOf(judged.map(({ away }) => labelOf(away)))
}
