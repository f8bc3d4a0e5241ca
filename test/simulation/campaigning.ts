import { completeOptions, makePlan } from '../../main/procedures/plans/node/make-plan.ts'
import { runOfPlan } from '../../main/wings/runner/attach/run-of-plan.ts'
import { listAt, textAt } from '../../main/wings/simulators/kubernetes/store/json.ts'
import type { StoredObject } from '../../main/wings/simulators/kubernetes/store/kubernetes-object.ts'
import type { Cluster } from '../../shared/domain/cluster.ts'
import { type CampaignBatch, MaintenanceCampaignSpec } from '../../shared/domain/maintenance-campaign.ts'
import { isFinalPhase, MaintenanceRunPhase } from '../../shared/domain/maintenance-run.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { type Cloud, RUNNER_NAMESPACE } from './cloud.ts'
import type { Console } from './console.ts'
import type { Dice } from './dice.ts'
import type { Judge } from './judge.ts'
import type { Outcome } from './operator.ts'

const CAMPAIGN = 'night'
const BY = 'sim'
/** How often the operator reads their campaign before they abort it. */
const LOOKS = 40
/** The nodes that the campaign takes out of service. */
const NODES = ['cmp-1', 'cmp-2', 'cmp-3'] as const

type Names = readonly string[]

/** Somebody who plans a run for each node, orders them by a campaign, and pauses, resumes, aborts it or one of its runs at any instant. */
export async function operateCampaign(
  console: Console,
  { cluster, dice, startAfterMs }: { readonly cluster: Cluster; readonly dice: Dice; readonly startAfterMs: number },
): Promise<readonly Outcome[]> {
  const { clock } = console
  const { objects } = console.shared(RUNNER_NAMESPACE)
  let controls = 0
  await clock.sleep(startAfterMs)
  const names: string[] = []
  for (const node of NODES) {
    const asked = await patiently(() => askFor(node))
    if (!asked.ok) return [{ runId: null, how: 'never started', why: asked.failure.message }]
    names.push(asked.value)
  }
  const batches = batchesOf(names, dice)
  const spec = MaintenanceCampaignSpec.parse({ batches, failureBudget: dice.below(2), confirmedBy: BY })
  const made = await patiently(() => objects.createCampaign({ name: CAMPAIGN, spec }))
  if (!made.ok) return [{ runId: null, how: 'never started', why: made.failure.message }]
  for (let left = LOOKS; left > 0; left -= 1) {
    await clock.sleep(dice.between(500, dice.pick([3_000, 20_000, 90_000])))
    const found = await objects.campaign(CAMPAIGN)
    const status = found.ok ? found.value?.status : null
    if (status == null || 'unreadable' in status) continue
    if (status.endedAt !== null) return [{ runId: null, how: 'over', why: `campaign ${status.phase}` }]
    if (left === 1) return [{ runId: null, how: 'waits', why: `campaign ${status.phase}` }]
    if (left < 4) await say({ campaign: CAMPAIGN }, 'abort')
    else if (status.hold !== null) await say({ campaign: CAMPAIGN }, 'resume')
    else if (dice.chance(0.15)) await say({ campaign: CAMPAIGN }, 'pause')
    const [run] = status.released
    if (run !== undefined && (dice.chance(0.1) || left < 8)) await say({ run }, 'abort')
  }
  return [{ runId: null, how: 'waits', why: 'campaign unheard' }]

  async function askFor(node: string): Promise<Result<string>> {
    const world = await console.connect()
    if (!world.ok) return world
    const id = `p${node}`
    const madeAt = new Date(clock.now()).toISOString()
    const options = completeOptions({}, cluster)
    const plan = await makePlan({ id, kind: 'enter', node, madeAt, options }, world.value)
    if (!plan.ok) return plan
    const answers = (['migrate-instances', 'drain-node'] as const).map(step => {
      return { step, choice: 'abort' as const, reason: 'agreed', atMost: 1 }
    })
    const run = runOfPlan(plan.value, BY, {
      answers,
      resumePolicy: 'Always',
      campaign: CAMPAIGN,
    })
    if (!run.ok) return run
    const created = await objects.createRun(run.value)
    return created.ok ? ok(run.value.name) : created
  }

  /** Retries until the object exists: after a lost answer, the next attempt is refused because of the name. */
  async function patiently<T>(ask: () => Promise<Result<T>>): Promise<Result<T>> {
    let last = await ask()
    for (let left = 8; !last.ok && left > 0; left -= 1) {
      await clock.sleep(dice.between(2_000, 30_000))
      last = await ask()
    }
    return last.ok ? last : failed(last.failure)
  }

  async function say(
    about: { readonly campaign: string } | { readonly run: string },
    control: 'pause' | 'resume' | 'abort',
  ): Promise<void> {
    controls += 1
    await objects.createControl({
      name: `control-${controls}`,
      spec: { ...about, control, by: BY, reason: 'so the dice fell' },
    })
  }
}

/** Two or three batches of three runs. */
function batchesOf([a = '', b = '', c = '']: Names, dice: Dice): readonly Partial<CampaignBatch>[] {
  const shapes: readonly [Names[], ...Names[][]] = [
    [[a], [b], [c]],
    [[a, b], [c]],
    [[a], [b, c]],
  ]
  return dice.pick(shapes).map(runs => ({ runs: [...runs], atOnce: dice.pick([1, null]) }))
}

/** A run of the campaign, as the store has it. */
interface SeenRun {
  phase: string
  /** Its run in the runner's journal; null: not begun. */
  runId: string | null
  /** How many runs had ended other than done when a runner claimed it last; null: nobody has. */
  failedAtClaim: number | null
}

/** Holds runs against their campaign whenever a status is written, by the objects in the store alone. */
export function createCampaignJudge({ objects }: Cloud, found: Judge['found']) {
  const runs = new Map<string, SeenRun>()
  const isEnded = ({ phase }: SeenRun) => isFinalPhase(MaintenanceRunPhase.catch('Pending').parse(phase))

  function begins(name: string, seen: SeenRun, campaign: StoredObject): void {
    const batches = listAt(campaign, 'spec', 'batches').map(batch => {
      const { runs: of, atOnce } = batch as { readonly runs: Names; readonly atOnce?: number | null }
      return { runs: of, atOnce: atOnce ?? of.length }
    })
    const budget = Number((campaign.spec as { readonly failureBudget?: number }).failureBudget ?? 0)
    const at = batches.findIndex(batch => batch.runs.includes(name))
    for (const earlier of batches.slice(0, at).flatMap(batch => batch.runs)) {
      const before = runs.get(earlier)
      if (before === undefined || !isEnded(before))
        found('a campaign is kept to', `${name} begins, and ${earlier} of an earlier batch is ${before?.phase}`)
    }
    const mine = batches[at]?.runs.filter(other => {
      const run = runs.get(other)
      return run !== undefined && run.runId !== null && !isEnded(run)
    })
    if ((mine?.length ?? 0) > (batches[at]?.atOnce ?? 0))
      found('a campaign is kept to', `${mine?.join(', ')} are under way at once, and ${batches[at]?.atOnce} may be`)
    if ((seen.failedAtClaim ?? 0) > budget)
      found('a campaign is kept to', `${name} begins after ${seen.failedAtClaim} runs failed, and ${budget} may`)
  }

  return {
    /** A server answered a message; what it wrote is in the store. */
    served: (method: string, target: string): void => {
      if (method === 'GET' || !target.includes('/maintenanceruns/')) return
      const campaign = objects.get('MaintenanceCampaign', RUNNER_NAMESPACE, CAMPAIGN)
      const begun: (() => void)[] = []
      for (const object of objects.list('MaintenanceRun')) {
        const { name } = object.metadata
        const seen = runs.get(name) ?? { phase: 'untold', runId: null, failedAtClaim: null }
        runs.set(name, seen)
        seen.phase = textAt(object, 'status', 'phase') ?? 'untold'
        const isClaimed = textAt(object, 'status', 'driver', 'id') != null
        const runId = textAt(object, 'status', 'runId') ?? null
        if (!isClaimed && runId === null) seen.failedAtClaim = null
        else seen.failedAtClaim ??= [...runs.values()].filter(run => isEnded(run) && run.phase !== 'Done').length
        if (runId === null || runId === seen.runId) continue
        if (seen.runId !== null) found('a campaign is kept to', `${name} has run ${seen.runId} and run ${runId}`)
        seen.runId = runId
        if (campaign !== null) begun.push(() => begins(name, seen, campaign))
        else found('a campaign is kept to', `${name} begins, and there is no campaign`)
      }
      for (const look of begun) look()
    },
  }
}
