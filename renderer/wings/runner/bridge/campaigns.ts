import type { Envelope, RequestInput } from '../../../../shared/contract/index.ts'
import { pacedReading } from '../../../bridge/paced-reading.ts'
import { askMain, listen, onResync } from '../../../bridge/transport.ts'
import { afterAnswer, campaignKeyOf, placeKeyOf, type RunnerAt, useCampaigns } from '../stores/campaigns.ts'

/** A runner reads its campaigns when their runs change and sends no event, so the page asks. */
const LOOK_EVERY_MS = 5_000
const LOOK_LEAST_MS = 1_500
/** How often a screen reads the campaigns if it shows only their number. */
const COUNT_EVERY_MS = 60_000
/** One read covers all MaintenanceRuns, each with its plan. */
const WAITING_EVERY_MS = 20_000
const WAITING_LEAST_MS = 5_000

/** Keeps runners, campaigns and waiting runs current; returns a stop function. */
export function followCampaigns(): () => void {
  const lists = pacedReading(readLists, LOOK_LEAST_MS)
  const waiting = pacedReading(async () => {
    if (useCampaigns.getState().runners === null) await readRunners()
    await Promise.all(knownPlaces().map(readWaiting))
  }, WAITING_LEAST_MS)
  return following([lists, LOOK_EVERY_MS], [waiting, WAITING_EVERY_MS])
}

/** The same for the frame of every screen, less often; returns a stop function. */
export function followCampaignsFromAfar(): () => void {
  return following([pacedReading(readLists, LOOK_LEAST_MS), COUNT_EVERY_MS])
}

/** Keeps one campaign and its runner's state current; returns a stop function. */
export function followCampaign(at: RunnerAt, name: string): () => void {
  const reading = pacedReading(async () => {
    await Promise.all([readRunners(), readCampaign(at, name)])
  }, LOOK_LEAST_MS)
  return following([reading, LOOK_EVERY_MS])
}

function following(...readings: readonly (readonly [ReturnType<typeof pacedReading>, number])[]): () => void {
  const timers = readings.map(([reading, everyMs]) => window.setInterval(reading.soon, everyMs))
  const soon = () => {
    for (const [reading] of readings) reading.soon()
  }
  const stops = [listen('runner.changed', soon), onResync(soon), ...readings.map(([reading]) => reading.stop)]
  return () => {
    for (const timer of timers) window.clearInterval(timer)
    for (const stop of stops) stop()
  }
}

async function readLists(): Promise<void> {
  await readRunners()
  await Promise.all(knownPlaces().map(readList))
}

async function readRunners(): Promise<void> {
  const answer = await askMain('runner.list', { cluster: null })
  useCampaigns.setState(({ runners }) => ({ runners: afterAnswer(runners, answer, now()) }))
}

async function readList(at: RunnerAt): Promise<void> {
  const answer = await askMain('campaign.list', asked(at))
  const key = placeKeyOf(at)
  useCampaigns.setState(({ lists }) => ({
    lists: new Map(lists).set(key, afterAnswer(lists.get(key) ?? null, answer, now())),
  }))
}

async function readWaiting(at: RunnerAt): Promise<void> {
  const answer = await askMain('campaign.waiting', asked(at))
  const key = placeKeyOf(at)
  useCampaigns.setState(({ waiting }) => ({
    waiting: new Map(waiting).set(key, afterAnswer(waiting.get(key) ?? null, answer, now())),
  }))
}

export async function readCampaign(at: RunnerAt, name: string): Promise<void> {
  const answer = await askMain('campaign.show', { ...asked(at), name })
  const key = campaignKeyOf(at, name)
  useCampaigns.setState(({ details }) => ({
    details: new Map(details).set(key, afterAnswer(details.get(key) ?? null, answer, now())),
  }))
}

export function createCampaign(
  at: RunnerAt,
  input: Omit<RequestInput<'campaign.create'>, 'cluster' | 'namespace'>,
): Promise<Envelope<unknown>> {
  return askMain('campaign.create', { ...asked(at), ...input })
}

/** Sends a control to a campaign and returns the runner's reply. */
export async function controlCampaign(
  at: RunnerAt,
  input: Omit<RequestInput<'campaign.control'>, 'cluster' | 'namespace'>,
): Promise<Envelope<{ readonly message: string }>> {
  const answer = await askMain('campaign.control', { ...asked(at), ...input })
  void readCampaign(at, input.name)
  return answer
}

/** Names of the unfinished campaigns that a run of this cloud can name. */
export async function openCampaignsOf(cluster: string): Promise<Envelope<readonly string[]>> {
  const answer = await askMain('campaign.list', { cluster })
  return answer.ok
    ? { ok: true, value: answer.value.flatMap(({ name, endedAt }) => (endedAt === null ? [name] : [])) }
    : answer
}

function knownPlaces(): readonly RunnerAt[] {
  const { runners } = useCampaigns.getState()
  if (runners === null || runners.kind === 'failed') return []
  return [...new Map(runners.value.map(({ by, namespace }) => [`${by}/${namespace}`, { by, namespace }])).values()]
}

function asked({ by, namespace }: RunnerAt): { cluster: string; namespace: string } {
  return { cluster: by, namespace }
}

function now(): string {
  return new Date().toISOString()
}
