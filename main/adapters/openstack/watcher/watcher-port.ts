import { z } from 'zod'
import type { Failure } from '../../../../shared/domain/failure.ts'
import type { Json } from '../../../../shared/domain/json.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { WatcherAbout, WatcherFigures, WatcherPlan } from '../../../../shared/domain/watcher.ts'
import { because, call } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { WaitingRecommendation, WatcherPort } from '../../../ports/watcher.ts'
import { askService } from '../ask-service.ts'
import { isAtLeast, versionText } from '../microversion.ts'
import type { OpenStackSession } from '../openstack-session.ts'
import { listAll } from '../pages.ts'
import { SERVICES } from '../services.ts'
import { listPlans, readPlan, readPlanAlone } from './read-plan.ts'
import { recommend } from './recommend.ts'
import { Audit, ChangedRecord, StrategyDetail } from './watcher-answers.ts'

const MAINTENANCE_STRATEGY = 'host_maintenance'

const OTHER_PLAN = because('OtherOne', { kind: 'plan' })
/** One action of a plan can be skipped (WA rest_api_version_history.rst). */
const SKIP_VERSION = { major: 1, minor: 5 }

/** Watcher for the procedures (main/ports), over a session; every call asks it again. */
export function createWatcherPort({
  session,
  clock,
}: {
  readonly session: OpenStackSession
  readonly clock: Clock
}): WatcherPort {
  return {
    about: signal => readVersionAndStrategies(session, signal),
    figures: (strategy, signal) => readFigures(session, strategy, signal),
    recommend: (request, signal) => recommend(session, clock, request, signal),
    recommended: signal => recommendedPlans(session, signal),
    plan: (uuid, signal) => readPlan(session, uuid, signal),
    skip: (uuid, reason, signal) => skipAction(session, uuid, reason, signal),
    start: (uuid, signal) => start(session, uuid, signal),
    cancel: (uuid, signal) => cancel(session, uuid, signal),
    cancelRecommended: (uuid, signal) => cancelRecommended(session, uuid, signal),
  }
}

async function readVersionAndStrategies(
  session: OpenStackSession,
  signal?: AbortSignal,
): Promise<Result<WatcherAbout>> {
  if (!session.has('infra-optim')) {
    const cloud = session.cloudName
    const { name: service } = SERVICES['infra-optim']
    return failed(
      refusal('not-found', because('CloudListsNoService', { cloud, service, type: 'infra-optim' }), {
        target: `cloud/${cloud}`,
      }),
    )
  }
  const version = await session.microversion('infra-optim', signal)
  if (!version.ok) return version
  const strategy = await askService(
    session,
    'infra-optim',
    {
      method: 'GET',
      path: `/strategies/${MAINTENANCE_STRATEGY}`,
      call: call('ReadStrategy', { strategy: MAINTENANCE_STRATEGY }),
      target: `strategy/${MAINTENANCE_STRATEGY}`,
      signal,
    },
    StrategyDetail,
    reported => (reported.name === MAINTENANCE_STRATEGY ? null : because('OtherOne', { kind: 'strategy' })),
  )
  if (!strategy.ok) return strategy
  return ok({
    version: version.value === null ? '1.0' : versionText(version.value),
    maintenanceParameters: Object.keys(strategy.value.parameters_spec.properties ?? {}),
    canSkip: version.value !== null && isAtLeast(version.value, SKIP_VERSION),
  })
}

async function recommendedPlans(
  session: OpenStackSession,
  signal?: AbortSignal,
): Promise<Result<readonly WaitingRecommendation[]>> {
  const plans = await listPlans(session, signal)
  if (!plans.ok) return plans
  const waiting = plans.value.filter(({ state }) => state === 'RECOMMENDED')
  if (waiting.length === 0) return ok([])
  const audits = await listAll(session, 'infra-optim', {
    collection: 'audits',
    item: Audit,
    idOf: ({ uuid }) => uuid,
    request: { path: '/audits/detail', call: call('ListAudits'), signal },
  })
  if (!audits.ok) return audits
  const byUuid = new Map(audits.value.map(audit => [audit.uuid, audit]))
  return ok(
    waiting.map(({ uuid, audit_uuid }) => {
      const audit = byUuid.get(audit_uuid)
      const parameters: Readonly<Record<string, Json>> = audit?.parameters ?? {}
      return { planUuid: uuid, auditUuid: audit_uuid, auditName: audit?.name ?? '', parameters }
    }),
  )
}

async function skipAction(
  session: OpenStackSession,
  uuid: string,
  reason: string,
  signal?: AbortSignal,
): Promise<Result<void>> {
  const version = await session.microversion('infra-optim', signal)
  if (!version.ok) return version
  if (version.value === null || !isAtLeast(version.value, SKIP_VERSION)) {
    return failed(
      refusal(
        'bad-input',
        because('WatcherCannotSkip', {
          needed: versionText(SKIP_VERSION),
          version: version.value === null ? null : versionText(version.value),
        }),
        { target: `action/${uuid}` },
      ),
    )
  }
  const skipped = await askService(
    session,
    'infra-optim',
    {
      method: 'PATCH',
      path: `/actions/${encodeURIComponent(uuid)}`,
      body: [
        { op: 'replace', path: '/state', value: 'SKIPPED' },
        { op: 'replace', path: '/status_message', value: reason },
      ],
      call: call('SkipAction', { action: uuid }),
      target: `action/${uuid}`,
      signal,
    },
    ChangedRecord,
    action => (action.uuid === uuid && action.state === 'SKIPPED' ? null : because('ActionNotSkipped')),
  )
  return skipped.ok ? ok(undefined) : skipped
}

async function start(session: OpenStackSession, uuid: string, signal?: AbortSignal): Promise<Result<WatcherPlan>> {
  const now = await readPlan(session, uuid, signal)
  if (!now.ok) return now
  if (now.value.state !== 'RECOMMENDED') return failed(notStartableFailure(uuid, now.value.state))
  const asked = await askService(
    session,
    'infra-optim',
    {
      method: 'POST',
      path: `/action_plans/${encodeURIComponent(uuid)}/start`,
      call: call('StartActionPlan', { plan: uuid }),
      target: `action plan/${uuid}`,
      signal,
    },
    ChangedRecord,
    plan => (plan.uuid === uuid ? null : OTHER_PLAN),
  )
  // Older Watchers lack this path (404 or 405, although the plan was just read) and start a plan by its state.
  const started = !asked.ok && isPathMissing(asked.failure) ? await setState(session, uuid, 'PENDING', signal) : asked
  if (started.ok) return readAgain(session, now.value, signal)
  // Watcher answers "Couldn't start when state is ..." with 400: another client was faster.
  if (started.failure.code !== 'bad-input') return started
  const after = await readPlan(session, uuid, signal)
  return after.ok && after.value.state !== 'RECOMMENDED'
    ? failed(notStartableFailure(uuid, after.value.state))
    : started
}

function isPathMissing({ code, retryable }: Failure): boolean {
  return code === 'not-found' || (code === 'server-fault' && !retryable)
}

function setState(
  session: OpenStackSession,
  uuid: string,
  state: 'PENDING' | 'CANCELLED' | 'CANCELLING',
  signal?: AbortSignal,
): Promise<Result<unknown>> {
  return askService(
    session,
    'infra-optim',
    {
      method: 'PATCH',
      path: `/action_plans/${encodeURIComponent(uuid)}`,
      body: [{ op: 'replace', path: '/state', value: state }],
      call: call(state === 'PENDING' ? 'StartActionPlan' : 'CancelActionPlan', { plan: uuid }),
      target: `action plan/${uuid}`,
      signal,
    },
    ChangedRecord,
    plan => (plan.uuid === uuid ? null : OTHER_PLAN),
  )
}

async function readAgain(
  session: OpenStackSession,
  before: WatcherPlan,
  signal?: AbortSignal,
): Promise<Result<WatcherPlan>> {
  const after = await readPlan(session, before.uuid, signal)
  if (!after.ok) return after
  const reported = new Set(after.value.actions.map(({ uuid }) => uuid))
  const missing = before.actions.filter(({ uuid }) => !reported.has(uuid)).length
  if (missing === 0) return after
  return failed(
    refusal(
      'unreadable',
      because('ActionsOfPlanMissing', { plan: before.uuid, missing, total: before.actions.length }),
      { target: `action plan/${before.uuid}` },
    ),
  )
}

function notStartableFailure(uuid: string, state: string) {
  return refusal('conflict', because('PlanNotToBeStarted', { plan: uuid, state }), { target: `action plan/${uuid}` })
}

/** The allowed requests in each state (docs/domain.md B.2, "Allowed PATCH on plan"). */
const CANCELLED_BY: ReadonlyMap<string, 'CANCELLED' | 'CANCELLING'> = new Map([
  ['RECOMMENDED', 'CANCELLED'],
  ['PENDING', 'CANCELLED'],
  ['ONGOING', 'CANCELLING'],
])

async function cancel(session: OpenStackSession, uuid: string, signal?: AbortSignal): Promise<Result<WatcherPlan>> {
  for (let tries = 0; ; tries += 1) {
    const now = await readPlan(session, uuid, signal)
    if (!now.ok) return now
    if (now.value.state === 'CANCELLING' || now.value.state === 'CANCELLED') return now
    const wanted = CANCELLED_BY.get(now.value.state)
    if (wanted === undefined) {
      return failed(
        refusal('conflict', because('PlanNotToBeCancelled', { plan: uuid, state: now.value.state }), {
          target: `action plan/${uuid}`,
        }),
      )
    }
    const patched = await setState(session, uuid, wanted, signal)
    if (patched.ok) return readAgain(session, now.value, signal)
    // Its state changed between read and request, which allows another request.
    const movedOn = patched.failure.code === 'bad-input' || patched.failure.code === 'conflict'
    if (!movedOn || tries === 2) return patched
  }
}

/** Watcher also accepts CANCELLED for a plan that has just started, so the check comes directly before the request. */
async function cancelRecommended(session: OpenStackSession, uuid: string, signal?: AbortSignal): Promise<Result<void>> {
  const now = await readPlanAlone(session, uuid, signal)
  if (!now.ok) return now
  if (now.value.state !== 'RECOMMENDED') {
    return failed(
      refusal('conflict', because('PlanNoRecommendation', { plan: uuid, state: now.value.state }), {
        target: `action plan/${uuid}`,
      }),
    )
  }
  const patched = await setState(session, uuid, 'CANCELLED', signal)
  if (!patched.ok) return patched
  const after = await readPlanAlone(session, uuid, signal)
  return after.ok ? ok(undefined) : after
}

/** A strategy's requirements as Watcher's decision engine sees them; the last entry names the strategy. */
const Requirements = z.array(z.object({ type: z.string(), state: z.unknown() }))
const Datasource = z.object({ type: z.literal('Datasource'), state: z.string().min(1) })
const Name = z.object({ type: z.literal('Name'), state: z.string() })

/** Whether Watcher has a metrics source for a strategy. Without one its audit ends SUCCEEDED with an empty plan (seen on 17.0; FAILED on 9.0). */
async function readFigures(
  session: OpenStackSession,
  strategy: string,
  signal?: AbortSignal,
): Promise<Result<WatcherFigures>> {
  const read = await askService(
    session,
    'infra-optim',
    {
      method: 'GET',
      path: `/strategies/${encodeURIComponent(strategy)}/state`,
      call: call('AskFigures', { strategy }),
      target: `strategy/${strategy}`,
      signal,
    },
    Requirements.refine(all => all.some(each => Datasource.safeParse(each).success), 'no datasource'),
    all =>
      all.some(each => Name.safeParse(each).data?.state === strategy)
        ? null
        : because('OtherOne', { kind: 'strategy' }),
  )
  if (!read.ok) return read
  const reported = read.value.flatMap(each => Datasource.safeParse(each).data?.state ?? [])[0] ?? ''
  return ok({ available: /: available$/.test(reported), reported })
}
