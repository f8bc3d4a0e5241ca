import { failure } from '../../../../shared/domain/failure.ts'
import { whyNoHost } from '../../../../shared/domain/home.ts'
import type { ComputeService } from '../../../../shared/domain/openstack.ts'
import type { InstanceEffect } from '../../../../shared/domain/plan-effects.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { INSTANCES_NOTED, MIGRATION_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import { counted, someOf } from '../../../../shared/grammar/counts.ts'
import type { Finding } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step, StepInput } from '../../../runs/engine/step.ts'
import { blocked, cannotAsk, cannotVerify, done, fails, holds, ready } from '../../answers.ts'
import { cloudOf, type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { readMachine } from '../general/machine-outside.ts'
import { instanceLabel, instanceSubject } from './classify-instances.ts'
import { computeServiceOf } from './compute-host.ts'
import { computeServiceEvidence } from './compute-service.ts'
import { type Move, moveAll } from './evacuation.ts'
import { decidedToStay } from './evacuation-facts.ts'
import { awayInstances, homePolicyOf, type Judged, judgeHome } from './home-verdicts.ts'
import { instanceFound, noteInstancesOn } from './note-instances.ts'

/**
 * The instances that a maintenance took off the node go back to it, as far as they fit and nobody moved them since: each by a live migration that names
 * the host, with the limits of leaving. With `opens` in its input an earlier step of the plan has Nova use the host again.
 */
export const bringHome: Step<MaintenanceWorld> = {
  kind: 'bring-home',
  role: 'compute',
  risk: 'disruptive',
  why: 'What was moved for the maintenance is spread over other hosts until somebody brings it back.',
  title: input => `Bring instances home to ${nodeOf(input)}`,
  verifyEarly: false,
  withinMs: 12 * 3_600_000,
  verifyEveryMs: 1_000,
  undo: 'Instances stay where they are; move them with Nova if you want them elsewhere.',
  check: async (input, ctx) => {
    const read = await readHome(input, ctx)
    if (!read.ok) return cannotAsk(`The instances that left ${nodeOf(input)}`, read.failure)
    const { home, judged, unread } = read.value
    const coming = judged.filter(({ verdict }) => ON_THE_WAY.has(verdict.kind))
    const told = {
      evidence: [
        computeServiceEvidence(home, ctx),
        ...judged.flatMap(({ verdict }) => (verdict.instance === null ? [] : [instanceFound(verdict.instance, ctx)])),
      ],
      warnings: [...warningsOf(judged, home), ...unread],
      effects: judged.flatMap(effectOf),
    }
    // Of a whole maintenance nobody has left yet while it is planned: those who leave are told by the run.
    const isAhead = input.away === null && !ctx.runHistory().some(({ fact }) => fact === INSTANCES_NOTED)
    if (isAhead) return ready('Those that move off it come home, once it is back in service.', told)
    if (coming.length === 0) return done(judged.length === 0 ? NONE_AWAY : `${stayWords(judged)}.`, told)
    const closed = input.opens === true ? null : whyNoHost(home)
    if (closed !== null) {
      return blocked(
        [
          {
            code: 'home-takes-none',
            message: `No instance can be brought home: ${closed}.`,
            remedy: `Bring ${nodeOf(input)} back into service first (\`lockkeeper leave\`).`,
            override: { kind: 'never', why: 'Nova refuses every move to such a host' },
          },
        ],
        told,
      )
    }
    return ready(
      `${counted(coming.length, 'instance')} to bring home to ${home.host}, ${ctx.options.concurrency} at once.`,
      told,
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
      return {
        kind: 'question',
        question: `No instance can be brought home: ${closed}. Mend it and retry, skip (they stay where they are), or abort.`,
        choices: ['retry', 'skip', 'abort'],
      }
    }
    if (moves.length > 0) await untilPlacementOpens(home.host, ctx)
    const attempts = ctx.options.attempts ?? ctx.world.cluster.limits.migrationAttempts
    const answer = await moveAll(moves, { concurrency: ctx.options.concurrency, attempts }, ctx)
    switch (answer.kind) {
      case 'emptied': {
        await noteInstancesOn(nodeOf(input), ctx)
        const stay = judged.filter(({ verdict }) => verdict.kind === 'stays')
        const rest = stay.length === 0 ? '' : ` ${stayWords(stay)}.`
        return { kind: 'applied', note: `${counted(answer.moved, 'instance')} brought home to ${home.host}.${rest}` }
      }
      case 'failed':
        return { kind: 'failed', failure: answer.failure }
      case 'stopped':
        return { kind: 'stopped' }
      case 'unresolved':
        return {
          kind: 'question',
          question: `${counted(answer.instances.length, 'instance')} could not be brought home to ${home.host}: ${someOf(answer.instances.map(({ label, why }) => `${label}: ${why}`))}. Retry, skip (they stay where they are), or abort.`,
          choices: ['retry', 'skip', 'abort'],
        }
    }
  },
  verify: async (input, ctx) => {
    const read = await readHome(input, ctx)
    if (!read.ok) return cannotVerify(`The instances that left ${nodeOf(input)}`, read.failure)
    const { home, judged } = read.value
    const seen = judged.flatMap(({ verdict }) =>
      verdict.instance === null ? [] : [instanceFound(verdict.instance, ctx)],
    )
    const there = judged.flatMap(({ verdict }) => (verdict.kind === 'there' ? [verdict.instance] : []))
    const broken = there.filter(({ status }) => status === 'ERROR')
    if (broken.length > 0) {
      return fails(`In ERROR on ${home.host}: ${someOf(broken.map(instanceLabel))}.`, 'Look at these instances.', seen)
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
      return fails(
        `Not home on ${home.host}: ${someOf(failing.map(({ away }) => instanceLabel(away)))}.`,
        'Resume the run to bring them home.',
        seen,
      )
    }
    const stay = judged.filter(({ verdict }) => verdict.kind === 'stays')
    const rest = [
      ...(stay.length === 0 ? [] : [`${stayWords(stay)}.`]),
      ...(left.length === 0
        ? []
        : [
            `${counted(left.length, 'instance')} left where ${left.length === 1 ? 'it is' : 'they are'}, as decided: ${someOf(left.map(({ away }) => instanceLabel(away)))}.`,
          ]),
      // Room may have come free since.
      ...(others.length === 0
        ? []
        : [`Now ${someOf(others.map(({ away }) => instanceLabel(away)))} could come home too: \`lockkeeper home\`.`]),
    ]
    const words = judged.length === 0 ? NONE_AWAY : `${counted(there.length, 'instance')} home on ${home.host}.`
    return holds([words, ...rest].join(' '), seen)
  },
}

/** How long the scheduler may go by what it knew of a host before that was enabled. */
const OPENS_WITHIN_MS = 30_000

/**
 * Nova marks a disabled host in Placement, and takes the mark off some seconds after it was enabled; until then its scheduler finds no valid host. Only the
 * mark is waited for: a host that is merely full has none. Where Placement does not tell, or tells nothing else in time, the moves themselves do.
 */
async function untilPlacementOpens(host: string, ctx: MaintenanceContext): Promise<void> {
  const until = ctx.clock.monotonicMs() + OPENS_WITHIN_MS
  while (!ctx.signal.aborted) {
    const closed = await cloudOf(ctx).closedHosts(ctx.signal)
    if (!closed.ok || !closed.value.some(name => isSameHost(name, host)) || ctx.clock.monotonicMs() >= until) return
    await ctx.clock.sleep(LOOK_EVERY_MS, ctx.signal)
  }
}

/** Placement may name a host by its FQDN where Nova names it by its first label. */
function isSameHost(provider: string, host: string): boolean {
  return provider === host || provider.split('.')[0] === host.split('.')[0]
}

const NONE_AWAY = 'No instance is known that the maintenance took off it and that is still away.'

interface ReadHome {
  readonly home: ComputeService
  readonly judged: readonly Judged[]
  readonly unread: readonly Finding[]
}

const ON_THE_WAY: ReadonlySet<Judged['verdict']['kind']> = new Set(['comes', 'coming', 'leaving'])

/** The same once no move of the maintenance takes anybody away any more: who is still leaving comes home afterwards. */
async function readSettled(input: StepInput, ctx: MaintenanceContext): Promise<Result<ReadHome>> {
  for (;;) {
    const read = await ctx.outlast(`instances that left ${nodeOf(input)}`, () => readHome(input, ctx))
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
  if (home === null) {
    return failed(failure('not-found', `Nova has no nova-compute service on ${name}.`, { target: `node/${name}` }))
  }
  const judged = await judgeHome(awayInstances(input, home.host, ctx), home, services.value, ctx)
  return judged.ok ? ok({ home, ...judged.value }) : judged
}

function moveOf({ away, verdict }: Judged, home: ComputeService, ctx: MaintenanceContext): readonly Move[] {
  if ((verdict.kind !== 'comes' && verdict.kind !== 'coming') || away.to === null) return []
  return [{ instance: verdict.instance, from: away.to, to: home.host, policyOf: now => homePolicyOf(now, ctx) }]
}

/** What the plan tells of each before anything is touched: who comes, and who is left where it is. */
function effectOf({ away, verdict }: Judged): readonly InstanceEffect[] {
  if (verdict.kind === 'there' || verdict.instance === null) return []
  const { id, name, status, projectId, powerState } = verdict.instance
  const about = { kind: 'instance' as const, id, name, status, projectId, powerState }
  switch (verdict.kind) {
    case 'leaving':
      return [
        {
          ...about,
          action: 'live_migrate',
          source: 'operator',
          reason: `comes home to ${away.home} once the move under way is over`,
          warnings: [],
        },
      ]
    case 'coming':
      return [
        {
          ...about,
          action: 'live_migrate',
          source: 'operator',
          reason: `is on its way home from ${away.to}`,
          warnings: [],
        },
      ]
    case 'comes':
      return [
        {
          ...about,
          action: verdict.policy.action === 'cold_migrate' ? 'cold_migrate' : 'live_migrate',
          source: 'operator',
          reason: `comes home to ${away.home} from ${away.to}`,
          warnings: verdict.note === null ? [] : [verdict.note.replace(/\.$/, '')],
        },
      ]
    case 'stays':
      return [
        { ...about, action: 'ignore', source: 'state', reason: `stays where it is: ${verdict.why}`, warnings: [] },
      ]
  }
}

function warningsOf(judged: readonly Judged[], home: ComputeService): readonly string[] {
  const stay = judged.filter(({ verdict }) => verdict.kind === 'stays')
  const comes = judged.some(({ verdict }) => verdict.kind === 'comes')
  return [
    ...(stay.length === 0 ? [] : [`${stayWords(stay)}.`]),
    ...(comes
      ? [
          `Each move names the host ${home.host}: newer Novas allow that by a rule of its own (os_compute_api:os-migrate-server:migrate_live:host), by default to administrators.`,
        ]
      : []),
  ]
}

/** Who is left where it is, and why. */
function stayWords(judged: readonly Judged[]): string {
  const stay = judged.flatMap(({ away, verdict }) =>
    verdict.kind === 'stays' ? [`${instanceLabel(away)}: ${verdict.why}`] : [],
  )
  if (stay.length === 0) return 'All that left are home again'
  return `${counted(stay.length, 'instance stays', 'instances stay')} where ${stay.length === 1 ? 'it is' : 'they are'}: ${someOf(stay, 20)}`
}
