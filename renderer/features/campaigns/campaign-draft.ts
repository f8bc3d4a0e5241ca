import type { RequestInput, WaitingRun } from '../../../shared/contract/index.ts'
import { MaintenanceCampaignSpec, MOST_RUNS } from '../../../shared/domain/maintenance-campaign.ts'
import { isObjectName } from '../../../shared/domain/object-name.ts'
import { asSentence } from '../../../shared/grammar/counts.ts'
import { noObjectName } from '../../../shared/words/object-names.ts'

/** A batch as it is being put together; `atOnce` as it is typed, empty: all of it. */
interface BatchDraft {
  readonly runs: readonly string[]
  readonly atOnce: string
}

/** A campaign as it is being put together. */
export interface CampaignDraft {
  readonly name: string
  readonly batches: readonly BatchDraft[]
  /** As it is typed. */
  readonly failureBudget: string
}

/** What a draft comes to, or what is still to settle. */
type CampaignReading =
  | { readonly kind: 'ready'; readonly input: Omit<RequestInput<'campaign.create'>, 'cluster' | 'namespace'> }
  | { readonly kind: 'unfinished'; readonly problems: readonly string[] }

const EMPTY_BATCH: BatchDraft = { runs: [], atOnce: '' }

/** A campaign with nothing in it: the first run that is not done stops it. */
export function newCampaign(name: string): CampaignDraft {
  return { name, batches: [EMPTY_BATCH], failureBudget: '0' }
}

/** Puts runs at the end of a batch, each once, wherever it was. */
export function addRuns(draft: CampaignDraft, at: number, names: readonly string[]): CampaignDraft {
  const own = new Set(names)
  return withBatches(draft, (batch, index) => ({
    ...batch,
    runs: [...batch.runs.filter(run => !own.has(run)), ...(index === at ? own : [])],
  }))
}

/** Takes a run out. */
export function dropRun(draft: CampaignDraft, name: string): CampaignDraft {
  return withBatches(draft, batch => ({ ...batch, runs: batch.runs.filter(run => run !== name) }))
}

/** Moves a run one place earlier or later, over the edge of its batch into the one beside it; the same draft when it is at the end. */
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

/** One more batch, at the end. */
export function addBatch(draft: CampaignDraft): CampaignDraft {
  return { ...draft, batches: [...draft.batches, EMPTY_BATCH] }
}

/** Without a batch; its runs are in none then. */
export function dropBatch(draft: CampaignDraft, at: number): CampaignDraft {
  const batches = draft.batches.toSpliced(at, 1)
  return { ...draft, batches: batches.length === 0 ? [EMPTY_BATCH] : batches }
}

/** How many runs of a batch are under way at once, as it is typed. */
export function setAtOnce(draft: CampaignDraft, at: number, atOnce: string): CampaignDraft {
  return withBatches(draft, (batch, index) => (index === at ? { ...batch, atOnce } : batch))
}

/** All runs of a draft. */
export function runsOfDraft({ batches }: CampaignDraft): readonly string[] {
  return batches.flatMap(({ runs }) => runs)
}

/** Reads a draft, by the rules of the contract; `taken`: names of campaigns that are there. */
export function readCampaignDraft(draft: CampaignDraft, taken: readonly string[]): CampaignReading {
  const name = draft.name.trim()
  const budget = wholeNumber(draft.failureBudget, 0)
  const batches = draft.batches.map(({ runs, atOnce }) => ({
    runs: [...runs],
    ...(atOnce.trim() === '' ? {} : { atOnce: wholeNumber(atOnce, 1) ?? 0 }),
  }))
  const problems = [
    ...(name === '' ? ['Give the campaign a name.'] : []),
    ...(name !== '' && !isObjectName(name) ? [noObjectName(name, 'a MaintenanceCampaign')] : []),
    ...(taken.includes(name)
      ? [`There is a campaign ${name} already: its spec never changes. Choose another name.`]
      : []),
    ...draft.batches.flatMap(({ runs, atOnce }, at) => [
      ...(runs.length === 0 ? [`Batch ${at + 1} has no run: add one, or remove the batch.`] : []),
      ...(atOnce.trim() !== '' && wholeNumber(atOnce, 1) === null
        ? [`Batch ${at + 1}: at once are 1 to ${MOST_RUNS} runs, or all of it.`]
        : []),
    ]),
    ...(budget === null ? [`The failure budget is a number from 0 to ${MOST_RUNS}.`] : []),
  ]
  if (problems.length > 0 || budget === null) return { kind: 'unfinished', problems }
  // What main says of it too; who confirms, it fills in itself.
  const spec = MaintenanceCampaignSpec.safeParse({ batches, failureBudget: budget, confirmedBy: 'whoever asks' })
  if (spec.success) return { kind: 'ready', input: { name, batches, failureBudget: budget } }
  return {
    kind: 'unfinished',
    problems: spec.error.issues.map(({ message }) => asSentence(`the campaign cannot be made: ${message}`)),
  }
}

/** What is to be said of a typed name before it is put into a batch; null: nothing stands in its way. */
export function whyNotAdded(draft: CampaignDraft, name: string): string | null {
  if (!isObjectName(name)) return noObjectName(name, 'a MaintenanceRun')
  return runsOfDraft(draft).includes(name) ? `${name} is named already. A run is begun once: name it once.` : null
}

/** What is to be known of a run in a batch, where it will not be begun as things stand; null: it waits for this campaign. */
export function doubtAbout(run: string, name: string, waiting: readonly WaitingRun[]): string | null {
  const found = waiting.find(each => each.name === run)
  if (found?.campaign === name) return null
  return found === undefined
    ? 'Not among the runs that wait: it is begun once it was submitted with this campaign.'
    : `It names campaign ${found.campaign}: this one does not begin it.`
}

/** Names of campaigns that runs wait for, with how many each, the first by name. */
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
