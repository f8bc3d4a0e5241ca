import type { CampaignDetail, CampaignSummary } from '../../shared/contract/index.ts'
import { type Failure, failure } from '../../shared/domain/failure.ts'
import { type MaintenanceCampaign, MaintenanceCampaignSpec, runsOf } from '../../shared/domain/maintenance-campaign.ts'
import { type MaintenanceRun, RUNNER_GROUP } from '../../shared/domain/maintenance-run.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { shellWord } from '../../shared/grammar/shell-word.ts'
import { controlAnswer } from '../attach/control-answer.ts'
import { askerOf } from '../attach/remote-control.ts'
import type { RunnerPlace } from '../attach/runner-place.ts'
import type { MaintenanceRunsPort } from '../ports/maintenance-runs.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

type CampaignHandlers = Pick<Handlers, 'campaign.list' | 'campaign.show' | 'campaign.create' | 'campaign.control'>

/** Requests about campaigns: objects beside the MaintenanceRuns of the runner that knows a cluster. */
export function campaignHandlers({
  attached,
  clusters,
  clock,
  newId,
  runs,
}: Pick<ApiServices, 'attached' | 'clock' | 'clusters' | 'newId' | 'runs'>): CampaignHandlers {
  const ownWord = `${runs.driver.operator}@${runs.driver.machine}`

  /** Where the runner of a cluster lives, and its objects. */
  async function runnerOf(cluster: string) {
    const known = clusters.get(cluster)
    if (!known.ok) return known
    const found = await attached.runnerOf(cluster)
    if (!found.ok) return found
    const { pod, world } = found.value
    return ok({ pod, world, objects: world.maintenanceRuns(pod.namespace) })
  }

  return {
    'campaign.list': async ({ cluster }) => {
      const where = await runnerOf(cluster)
      if (!where.ok) return where
      const { pod, objects } = where.value
      const listed = await objects.campaigns()
      return listed.ok ? ok(listed.value.map(campaign => summaryOf(campaign, pod))) : listed
    },
    'campaign.show': async ({ cluster, name }) => {
      const where = await runnerOf(cluster)
      if (!where.ok) return where
      const { pod, objects } = where.value
      const campaign = await campaignNamed(name, objects, pod)
      if (!campaign.ok) return campaign
      const all = await objects.objects()
      return all.ok ? ok(detailOf(campaign.value, all.value.runs, pod)) : all
    },
    'campaign.create': async ({ cluster, name, batches, failureBudget }) => {
      const where = await runnerOf(cluster)
      if (!where.ok) return where
      const { pod, world, objects } = where.value
      const question = {
        verb: 'create',
        group: RUNNER_GROUP,
        resource: 'maintenancecampaigns',
        namespace: pod.namespace,
      }
      const may = await world.world.kubernetes.reviewAccess([question])
      if (!may.ok) return may
      if (may.value.some(({ allowed }) => !allowed)) {
        const why = `You may not create MaintenanceCampaigns in namespace ${pod.namespace} of ${pod.by}. The role lockkeeper-submitter there grants it.`
        return failed(failure('not-permitted', why, { target: `cluster/${cluster}` }))
      }
      const as = await askerOf({ objects, ownWord })
      if (!as.ok) return as
      const spec = MaintenanceCampaignSpec.safeParse({ batches, failureBudget, confirmedBy: as.value })
      if (!spec.success) {
        const why = spec.error.issues.map(({ message }) => message).join('; ')
        return failed(failure('bad-input', `The campaign cannot be made: ${why}.`, { target: targetOf(name) }))
      }
      const made = await objects.createCampaign({ name, spec: spec.data })
      if (made.ok) return ok(summaryOf(made.value, pod))
      if (made.failure.code !== 'conflict') return made
      const there = await objects.campaign(name)
      if (!there.ok || there.value === null) return made
      // An answer that was lost, and asked again: what is there is what was asked for.
      return JSON.stringify(there.value.spec) === JSON.stringify(spec.data)
        ? ok(summaryOf(there.value, pod))
        : failed(nameTaken(summaryOf(there.value, pod), cluster))
    },
    'campaign.control': async ({ cluster, name, control, reason }) => {
      const where = await runnerOf(cluster)
      if (!where.ok) return where
      const { pod, objects } = where.value
      const campaign = await campaignNamed(name, objects, pod)
      if (!campaign.ok) return campaign
      const by = await askerOf({ objects, ownWord })
      if (!by.ok) return by
      const asked = `${control}-${newId()}`
      const made = await objects.createControl({ name: asked, spec: { campaign: name, control, by: by.value, reason } })
      if (!made.ok) return made
      const answer = await controlAnswer(asked, targetOf(name), { objects, clock })
      return answer.ok ? ok({ message: answer.value }) : answer
    },
  }
}

async function campaignNamed(
  name: string,
  objects: MaintenanceRunsPort,
  { namespace, by }: RunnerPlace,
): Promise<Result<MaintenanceCampaign>> {
  const found = await objects.campaign(name)
  if (!found.ok) return found
  if (found.value !== null) return ok(found.value)
  const why = `There is no MaintenanceCampaign ${name} in namespace ${namespace} of ${by}.`
  return failed(failure('not-found', why, { target: targetOf(name) }))
}

/** A campaign never changes, so one of a name that is taken has to be called otherwise. */
function nameTaken({ name, namespace, by, confirmedBy, phase }: CampaignSummary, cluster: string): Failure {
  const whose = confirmedBy === '' ? '' : `, asked for by ${confirmedBy}`
  const show = `\`lockkeeper runner campaign show ${shellWord(cluster)} ${shellWord(name)}\``
  const why = `There is another MaintenanceCampaign ${name} in namespace ${namespace} of ${by} already${whose} (${phase ?? 'no runner has looked at it'}). Nothing was made, for a campaign never changes. Give yours another name, also where its runs are submitted; ${show} tells how that one stands.`
  return failure('conflict', why, { target: targetOf(name) })
}

function targetOf(campaign: string): string {
  return `maintenancecampaign/${campaign}`
}

function summaryOf({ name, spec, status }: MaintenanceCampaign, { by, namespace }: RunnerPlace): CampaignSummary {
  const asked = 'unreadable' in spec ? null : spec
  const told = status === null || 'unreadable' in status ? null : status
  const silence = status === null ? 'No runner has looked at it yet.' : 'Its status cannot be read by this version.'
  return {
    name,
    by,
    namespace,
    phase: told?.phase ?? null,
    batch: told?.batch ?? 0,
    batchesAll: asked?.batches.length ?? told?.batchesAll ?? 0,
    runsDone: told?.runsDone ?? 0,
    runsFailed: told?.runsFailed ?? 0,
    runsAll: asked === null ? (told?.runsAll ?? 0) : runsOf(asked.batches).length,
    failureBudget: asked?.failureBudget ?? null,
    message: told?.message ?? silence,
    confirmedBy: asked?.confirmedBy ?? '',
    startedAt: told?.startedAt ?? null,
    endedAt: told?.endedAt ?? null,
  }
}

function detailOf(campaign: MaintenanceCampaign, runs: readonly MaintenanceRun[], place: RunnerPlace): CampaignDetail {
  const { spec, status } = campaign
  const byName = new Map(runs.map(run => [run.name, run]))
  const ended = new Map(
    status === null || 'unreadable' in status ? [] : status.ended.map(({ run, phase }) => [run, phase] as const),
  )
  const runIn = (name: string): CampaignDetail['batches'][number]['runs'][number] => {
    const run = byName.get(name)
    if (run === undefined) {
      const phase = ended.get(name) ?? null
      const message = phase === null ? 'There is no such MaintenanceRun yet.' : 'Its MaintenanceRun is gone.'
      return { name, cluster: null, phase, message }
    }
    const cluster = 'unreadable' in run.spec ? null : run.spec.cluster
    if (run.status === null) return { name, cluster, phase: null, message: 'No runner has looked at it yet.' }
    if ('unreadable' in run.status)
      return { name, cluster, phase: null, message: 'Its status cannot be read by this version.' }
    return { name, cluster, phase: run.status.phase, message: run.status.message }
  }
  const batches = 'unreadable' in spec ? [] : spec.batches
  return {
    ...summaryOf(campaign, place),
    batches: batches.map(({ name, atOnce, runs: names }) => ({ name, atOnce, runs: names.map(runIn) })),
  }
}
