import { create } from 'zustand'
import type {
  CampaignDetail,
  CampaignSummary,
  Envelope,
  RunnerStatus,
  WaitingRuns,
} from '../../shared/contract/index.ts'
import type { Failure } from '../../shared/domain/failure.ts'

/** What was read of something that is asked for again and again. */
export type Reading<T> =
  /** `readAt`: when that was so (ISO). */
  | { readonly kind: 'read'; readonly value: T; readonly readAt: string }
  /** It could not be read again: what it was then, and why it is not known now. */
  | { readonly kind: 'old'; readonly value: T; readonly readAt: string; readonly failure: Failure }
  /** It was never read. */
  | { readonly kind: 'failed'; readonly failure: Failure }

/** Where a runner lives: a namespace of the Kubernetes of a registered cluster. */
export interface RunnerAt {
  readonly by: string
  readonly namespace: string
}

interface CampaignStore {
  /** The runners that this console is attached to; null before the first answer. */
  readonly runners: Reading<readonly RunnerStatus[]> | null
  /** The campaigns beside each runner, by where it lives. What was not asked for yet is not there. */
  readonly lists: ReadonlyMap<string, Reading<readonly CampaignSummary[]>>
  /** Runs that wait for a campaign, by where their runner lives. */
  readonly waiting: ReadonlyMap<string, Reading<WaitingRuns>>
  /** Campaigns that were looked at, by where their runner lives, and name. */
  readonly details: ReadonlyMap<string, Reading<CampaignDetail>>
}

/** Campaigns as their objects say it; written by renderer/bridge/campaigns.ts alone. */
export const useCampaigns = create<CampaignStore>()(() => ({
  runners: null,
  lists: new Map(),
  waiting: new Map(),
  details: new Map(),
}))

/** What tells the places of runners apart. */
export function placeKeyOf({ by, namespace }: RunnerAt): string {
  return `${by}/${namespace}`
}

/** What tells campaigns apart. */
export function campaignKeyOf(at: RunnerAt, name: string): string {
  return `${placeKeyOf(at)}/${name}`
}

/** What is known after an answer: what could not be read again stays what it was, and is old. */
export function afterAnswer<T>(before: Reading<T> | null, answer: Envelope<T>, now: string): Reading<T> {
  if (answer.ok) return { kind: 'read', value: answer.value, readAt: now }
  // Only the answer that it is gone is one about the thing itself.
  if (before === null || before.kind === 'failed' || answer.failure.code === 'not-found') {
    return { kind: 'failed', failure: answer.failure }
  }
  return { kind: 'old', value: before.value, readAt: before.readAt, failure: answer.failure }
}
