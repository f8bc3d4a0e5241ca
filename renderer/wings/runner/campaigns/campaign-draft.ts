import type { RequestInput, WaitingRun } from '../../../../shared/contract/index.ts'
import { MaintenanceCampaignSpec, MOST_RUNS } from '../../../../shared/domain/maintenance-campaign.ts'
import { isObjectName } from '../../../../shared/domain/object-name.ts'
import { asSentence } from '../../../../shared/grammar/counts.ts'
import { noObjectName } from '../../../../shared/words/object-names.ts'

/** A batch as it is edited; `atOnce` as typed, empty means all of it. */
interface BatchDraft {
  readonly runs: readonly string[]
  readonly atOnce: string
}

/** A campaign as it is edited. */
export interface CampaignDraft {
  readonly name: string
  readonly batches: readonly BatchDraft[]
  readonly failureBudget: string
}

/** The campaign of a draft, or what is still missing. */
type CampaignReading =
  | { readonly kind: 'ready'; readonly input: Omit<RequestInput<'campaign.create'>, 'cluster' | 'namespace'> }
  | { readonly kind: 'unfinished'; readonly problems: readonly string[] }

const EMPTY_BATCH: BatchDraft = { runs: [], atOnce: '' }

/** An empty campaign: the first failed run stops it. */
export function newCampaign(name: string): CampaignDraft {
  return { name, batches: [EMPTY_BATCH], failureBudget: '0' }
}

/** Adds runs to the end of a batch, each once, wherever they were. */
export function addRuns(draft: CampaignDraft, at: number, names: readonly string[]): CampaignDraft {
  const own = new Set(names)
  return withBatches(draft, (batch, index) => ({
    ...batch,
    runs: [...batch.runs.filter(run => !own.has(run)), ...(index === at ? own : [])],
  }))
}

export function dropRun(draft: CampaignDraft, name: string): CampaignDraft {
  return withBatches(draft, batch => ({ ...batch, runs: batch.runs.filter(run => run !== name) }))
}

/** Moves a run one place, also into the next batch; returns the same draft at the end. */
export function shiftRun(draft: CampaignDraft, name: string, by: -1 | 1): CampaignDraft {
  const at = draft.batches.findIndex(({ runs }) => runs.includes(name))
  const batch = draft.batches[at]
  if (batch === undefined) return draft
  const place = batch.runs.indexOf(name)
  const to = place + by
  if (to >= 0 && to < batch.runs.length) {
    const runs = batch.runs.toSpliced(place, 1).toSpliced(to, 0, name)
    return withBatches(draft, (each, index) => (index === at ? { ...each, runs } : each))
  }
  if (draft.batches[at + by] === undefined) return draft
  return withBatches(draft, (each, index) => {
    if (index === at) return { ...each, runs: each.runs.filter(run => run !== name) }
    if (index === at + by) return { ...each, runs: by === 1 ? [name, ...each.runs] : [...each.runs, name] }
    return each
  })
}

export function addBatch(draft: CampaignDraft): CampaignDraft {
  return { ...draft, batches: [...draft.batches, EMPTY_BATCH] }
}

/** Removes a batch with its runs. */
export function dropBatch(draft: CampaignDraft, at: number): CampaignDraft {
  const batches = draft.batches.toSpliced(at, 1)
  return { ...draft, batches: batches.length === 0 ? [EMPTY_BATCH] : batches }
}

/** Sets how many runs of a batch run at a time, as typed. */
export function setAtOnce(draft: CampaignDraft, at: number, atOnce: string): CampaignDraft {
  return withBatches(draft, (batch, index) => (index === at ? { ...batch, atOnce } : batch))
}

export function runsOfDraft({ batches }: CampaignDraft): readonly string[] {
  return batches.flatMap(({ runs }) => runs)
}

/** Reads a draft by the rules of the contract; `taken`: names of existing campaigns. */
export function readCampaignDraft(draft: CampaignDraft, taken: readonly string[]): CampaignReading {
  const name = draft.name.trim()
  const budget = wholeNumber(draft.failureBudget, 0)
  const batches = draft.batches.map(({ runs, atOnce }) => ({
    runs: [...runs],
    ...(atOnce.trim() === '' ? {} : { atOnce: wholeNumber(atOnce, 1) ?? 0 }),
  }))
  const problems = [
    ...(name === '' ? ['Name the campaign.'] : []),
    ...(name !== '' && !isObjectName(name) ? [noObjectName(name, 'a MaintenanceCampaign')] : []),
    ...(taken.includes(name) ? [`Campaign ${name} exists, and its spec never changes. Choose another name.`] : []),
    ...draft.batches.flatMap(({ runs, atOnce }, at) => [
      ...(runs.length === 0 ? [`Batch ${at + 1} has no run: add one, or remove the batch.`] : []),
      ...(atOnce.trim() !== '' && wholeNumber(atOnce, 1) === null
        ? [`Batch ${at + 1}: run 1 to ${MOST_RUNS} at a time, or leave it empty for all.`]
        : []),
    ]),
    ...(budget === null ? [`The failure budget is a number from 0 to ${MOST_RUNS}.`] : []),
  ]
  if (problems.length > 0 || budget === null) return { kind: 'unfinished', problems }
  // Main checks the same, and fills in who confirms.
  const spec = MaintenanceCampaignSpec.safeParse({ batches, failureBudget: budget, confirmedBy: 'you' })
  if (spec.success) return { kind: 'ready', input: { name, batches, failureBudget: budget } }
  return {
    kind: 'unfinished',
    problems: spec.error.issues.map(({ message }) => asSentence(`the campaign cannot be made: ${message}`)),
  }
}

/** Why a typed name cannot be added to a batch; null if it can. */
export function whyNotAdded(draft: CampaignDraft, name: string): string | null {
  if (!isObjectName(name)) return noObjectName(name, 'a MaintenanceRun')
  return runsOfDraft(draft).includes(name) ? `${name} is already in a batch. A run starts only once.` : null
}

/** Why a run in a batch would not start; null if it waits for this campaign. */
export function doubtAbout(run: string, name: string, waiting: readonly WaitingRun[]): string | null {
  const found = waiting.find(each => each.name === run)
  if (found?.campaign === name) return null
  return found === undefined
    ? 'This run does not wait yet. It starts once it is submitted with this campaign.'
    : `It names campaign ${found.campaign}, so this campaign does not start it.`
}

/** Names of campaigns that runs wait for, with the number of runs, by name. */
export function wantedCampaigns(
  waiting: readonly WaitingRun[],
): readonly { readonly name: string; readonly runs: readonly WaitingRun[] }[] {
  return [...Map.groupBy(waiting, ({ campaign }) => campaign)]
    .map(([name, runs]) => ({ name, runs }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

function withBatches(draft: CampaignDraft, change: (batch: BatchDraft, at: number) => BatchDraft): CampaignDraft {
  return { ...draft, batches: draft.batches.map(change) }
}

function wholeNumber(text: string, least: number): number | null {
  const typed = text.trim()
  if (!/^\d{1,6}$/.test(typed)) return null
  const value = Number(typed)
  return value >= least && value <= MOST_RUNS ? value : null
}
