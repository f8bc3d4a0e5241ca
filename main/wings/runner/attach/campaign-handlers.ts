import type {
  CampaignDetail,
  CampaignSummary,
  RequestInput,
  RequestOutput,
  WaitingRuns,
} from '../../../../shared/contract/index.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import { isSameJson } from '../../../../shared/domain/is-same-json.ts'
import {
  type MaintenanceCampaign,
  MaintenanceCampaignSpec,
  type MaintenanceCampaignStatus,
  runsOf,
} from '../../../../shared/domain/maintenance-campaign.ts'
import { type MaintenanceRun, RUNNER_GROUP, readableStatus } from '../../../../shared/domain/maintenance-run.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import type { Handlers } from '../../../api/serve.ts'
import type { ApiServices } from '../../../api/services.ts'
import type { MaintenanceRunsPort } from '../ports/maintenance-runs.ts'
import type { Attached } from './attached.ts'
import { controlAnswer } from './control-answer.ts'
import { askerOf } from './remote-control.ts'
import type { RunnerPlace } from './runner-place.ts'

export type CampaignHandlers = Pick<
  Handlers,
  'campaign.list' | 'campaign.waiting' | 'campaign.show' | 'campaign.create' | 'campaign.control'
>

type CampaignServices = Pick<ApiServices, 'clock' | 'clusters' | 'newId' | 'runs'> & {
  readonly attached: Pick<Attached, 'find' | 'runnerOf' | 'worldOf'>
}

/** Requests about campaigns: objects beside the MaintenanceRuns of the runner that knows a cluster. */
export function campaignHandlers(services: CampaignServices): CampaignHandlers {
  return {
    'campaign.list': async asked => {
      const where = await findRunner(asked, services)
      if (!where.ok) return where
      const { place, objects } = where.value
      const listed = await objects.campaigns()
      return listed.ok ? ok(listed.value.map(campaign => summaryOf(campaign, place))) : listed
    },
    'campaign.waiting': async asked => {
      const where = await findRunner(asked, services)
      if (!where.ok) return where
      const all = await where.value.objects.objects()
      return all.ok ? ok(waitingIn(all.value.runs)) : all
    },
    'campaign.show': async ({ name, ...asked }) => {
      const where = await findRunner(asked, services)
      if (!where.ok) return where
      const { place, objects } = where.value
      const campaign = await campaignNamed(name, objects, place)
      if (!campaign.ok) return campaign
      const all = await objects.objects()
      const isMirrored = (runId: string) => services.attached.find(runId) !== null
      return all.ok ? ok(detailOf(campaign.value, all.value.runs, place, isMirrored)) : all
    },
    'campaign.create': wish => createCampaign(wish, services),
    'campaign.control': wish => controlCampaign(wish, services),
  }
}

/** The place of a runner, and its objects: in the given namespace, else the runner that manages the cluster. */
async function findRunner(
  { cluster, namespace }: RequestInput<'campaign.list'>,
  { clusters, attached }: CampaignServices,
) {
  const known = clusters.get(cluster)
  if (!known.ok) return known
  if (namespace !== undefined) {
    const place: RunnerPlace = { by: cluster, namespace }
    const world = await attached.worldOf(place)
    return world.ok ? ok({ place, world: world.value, objects: world.value.maintenanceRuns(namespace) }) : world
  }
  const found = await attached.runnerOf(cluster)
  if (!found.ok) return found
  const { pod, world } = found.value
  return ok({ place: pod, world, objects: world.maintenanceRuns(pod.namespace) })
}

async function createCampaign(
  { name, batches, failureBudget, ...asked }: RequestInput<'campaign.create'>,
  services: CampaignServices,
): Promise<Result<CampaignSummary>> {
  const where = await findRunner(asked, services)
  if (!where.ok) return where
  const { place, world, objects } = where.value
  const { by, namespace } = place
  const question = { verb: 'create', group: RUNNER_GROUP, resource: 'maintenancecampaigns', namespace }
  const may = await world.kubernetes.reviewAccess([question])
  if (!may.ok) return may
  if (may.value.some(({ allowed }) => !allowed)) {
    const why = because('MayNotCreateCampaigns', { namespace, by })
    return failed(refusal('not-permitted', why, { target: `cluster/${asked.cluster}` }))
  }
  const as = await askerOf({ objects, ownWord: ownWordOf(services) })
  if (!as.ok) return as
  const spec = MaintenanceCampaignSpec.safeParse({ batches, failureBudget, confirmedBy: as.value })
  if (!spec.success) {
    const cause = spec.error.issues.map(({ message }) => message).join('; ')
    return failed(refusal('bad-input', because('CampaignUnfit', { cause }), { target: targetOf(name) }))
  }
  const made = await objects.createCampaign({ name, spec: spec.data })
  if (made.ok) return ok(summaryOf(made.value, place))
  if (made.failure.code !== 'conflict') return made
  const there = await objects.campaign(name)
  if (!there.ok || there.value === null) return made
  const existing = summaryOf(there.value, place)
  // An earlier attempt with a lost answer may have created it: then the existing object is the requested one.
  return isSameJson(there.value.spec, spec.data) ? ok(existing) : failed(nameTaken(existing, asked.cluster))
}

async function controlCampaign(
  { name, control, reason, ...asked }: RequestInput<'campaign.control'>,
  services: CampaignServices,
): Promise<Result<RequestOutput<'campaign.control'>>> {
  const { newId, clock } = services
  const where = await findRunner(asked, services)
  if (!where.ok) return where
  const { place, objects } = where.value
  const campaign = await campaignNamed(name, objects, place)
  if (!campaign.ok) return campaign
  const by = await askerOf({ objects, ownWord: ownWordOf(services) })
  if (!by.ok) return by
  const object = `${control}-${newId()}`
  const made = await objects.createControl({ name: object, spec: { campaign: name, control, by: by.value, reason } })
  if (!made.ok) return made
  const answer = await controlAnswer(object, targetOf(name), { objects, clock })
  return answer.ok ? ok({ message: answer.value }) : answer
}

/** The operator's name if the API server does not name them. */
function ownWordOf({ runs }: CampaignServices): string {
  return `${runs.driver.operator}@${runs.driver.machine}`
}

async function campaignNamed(
  name: string,
  objects: MaintenanceRunsPort,
  { namespace, by }: RunnerPlace,
): Promise<Result<MaintenanceCampaign>> {
  const found = await objects.campaign(name)
  if (!found.ok) return found
  if (found.value !== null) return ok(found.value)
  const why = because('NoSuchCampaign', { campaign: name, namespace, by })
  return failed(refusal('not-found', why, { target: targetOf(name) }))
}

/** A campaign never changes, so a new one needs another name than the existing ones. */
function nameTaken({ name, namespace, by, confirmedBy, phase }: CampaignSummary, cluster: string): Failure {
  const asker = confirmedBy === '' ? null : confirmedBy
  const why = because('CampaignNameTaken', { campaign: name, namespace, by, cluster, confirmedBy: asker, phase })
  return refusal('conflict', why, { target: targetOf(name) })
}

function targetOf(campaign: string): string {
  return `maintenancecampaign/${campaign}`
}

function summaryOf({ name, spec, status }: MaintenanceCampaign, { by, namespace }: RunnerPlace): CampaignSummary {
  const asked = 'unreadable' in spec ? null : spec
  const reported = readableStatus({ status })
  const silence = status === null ? NOT_LOOKED_AT : NOT_READ
  return {
    name,
    by,
    namespace,
    phase: reported?.phase ?? null,
    batch: reported?.batch ?? 0,
    batchesAll: asked?.batches.length ?? reported?.batchesAll ?? 0,
    runsDone: reported?.runsDone ?? 0,
    runsFailed: reported?.runsFailed ?? 0,
    hold: holdOf(reported),
    runsAll: asked === null ? (reported?.runsAll ?? 0) : runsOf(asked.batches).length,
    failureBudget: asked?.failureBudget ?? null,
    ...(reported === null ? silence : { message: reported.message }),
    confirmedBy: asked?.confirmedBy ?? '',
    startedAt: reported?.startedAt ?? null,
    endedAt: reported?.endedAt ?? null,
  }
}

function holdOf(reported: MaintenanceCampaignStatus | null): CampaignSummary['hold'] {
  if (reported === null || reported.hold === null) return null
  const { kind, by, reason } = reported.hold
  return { kind, by: by ?? null, reason: reason ?? null, since: reported.heldSince }
}

function waitingIn(runs: readonly MaintenanceRun[]): WaitingRuns {
  return {
    unreadable: runs.flatMap(({ name, spec }) => ('unreadable' in spec ? [name] : [])),
    runs: runs.flatMap(({ name, spec, status }): WaitingRuns['runs'] => {
      if ('unreadable' in spec || spec.campaign === null) return []
      const { campaign, kind, cluster, node, confirmedBy } = spec
      const run = { name, campaign, kind, cluster, node, confirmedBy }
      if (status === null) return [{ ...run, phase: null, ...NOT_LOOKED_AT }]
      if ('unreadable' in status) return [{ ...run, phase: null, ...NOT_READ }]
      const isBegun = status.runId !== null || (status.phase !== 'Pending' && status.phase !== 'Scheduled')
      return isBegun ? [] : [{ ...run, phase: status.phase, message: status.message }]
    }),
  }
}

const NOT_LOOKED_AT = because('NotLookedAt')
const NOT_READ = because('StatusUnreadable')

function detailOf(
  campaign: MaintenanceCampaign,
  runs: readonly MaintenanceRun[],
  place: RunnerPlace,
  isMirrored: (runId: string) => boolean,
): CampaignDetail {
  const { spec } = campaign
  const byName = new Map(runs.map(run => [run.name, run]))
  const ended = new Map((readableStatus(campaign)?.ended ?? []).map(({ run, phase }) => [run, phase] as const))
  const runIn = (name: string): CampaignDetail['batches'][number]['runs'][number] => {
    const run = byName.get(name)
    if (run === undefined) {
      const phase = ended.get(name) ?? null
      const why = because(phase === null ? 'NoSuchRunYet' : 'RunObjectGone')
      return { name, cluster: null, phase, ...why, runId: null, mirrored: false }
    }
    const cluster = 'unreadable' in run.spec ? null : run.spec.cluster
    const unknown = { name, cluster, phase: null, runId: null, mirrored: false }
    if (run.status === null) return { ...unknown, ...NOT_LOOKED_AT }
    if ('unreadable' in run.status) return { ...unknown, ...NOT_READ }
    const { phase, message, runId } = run.status
    return { name, cluster, phase, message, runId, mirrored: runId !== null && isMirrored(runId) }
  }
  const batches = 'unreadable' in spec ? [] : spec.batches
  return {
    ...summaryOf(campaign, place),
    batches: batches.map(({ name, atOnce, runs: names }) => ({ name, atOnce, runs: names.map(runIn) })),
  }
}
