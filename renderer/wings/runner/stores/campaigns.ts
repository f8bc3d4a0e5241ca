import { create } from 'zustand'
import type {
  CampaignDetail,
  CampaignSummary,
  Envelope,
  RunnerStatus,
  WaitingRuns,
} from '../../../../shared/contract/index.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'

/** The result of a read that repeats. */
export type Reading<T> =
  /** `readAt`: when the value was read (ISO). */
  | { readonly kind: 'read'; readonly value: T; readonly readAt: string }
  /** The last read failed: the earlier value, and why it may be out of date. */
  | { readonly kind: 'old'; readonly value: T; readonly readAt: string; readonly failure: Failure }
  /** No read has succeeded. */
  | { readonly kind: 'failed'; readonly failure: Failure }

/** The place of a runner: a namespace of the Kubernetes of a registered cluster. */
export interface RunnerAt {
  readonly by: string
  readonly namespace: string
}

interface CampaignStore {
  /** The runners that this console is attached to; null before the first answer. */
  readonly runners: Reading<readonly RunnerStatus[]> | null
  /** The campaigns by the place of their runner. Without an entry: not asked yet. */
  readonly lists: ReadonlyMap<string, Reading<readonly CampaignSummary[]>>
  /** Runs that wait for a campaign, by the place of their runner. */
  readonly waiting: ReadonlyMap<string, Reading<WaitingRuns>>
  /** Opened campaigns, by the place of their runner and by name. */
  readonly details: ReadonlyMap<string, Reading<CampaignDetail>>
}

/** Campaigns as their objects describe them; only renderer/wings/runner/bridge/campaigns.ts writes them. */
export const useCampaigns = create<CampaignStore>()(() => ({
  runners: null,
  lists: new Map(),
  waiting: new Map(),
  details: new Map(),
}))

/** A key that is unique to a runner's place. */
export function placeKeyOf({ by, namespace }: RunnerAt): string {
  return `${by}/${namespace}`
}

/** A key that is unique to a campaign. */
export function campaignKeyOf(at: RunnerAt, name: string): string {
  return `${placeKeyOf(at)}/${name}`
}

/** The state after an answer: a failed read keeps the earlier value and marks it as old. */
export function afterAnswer<T>(before: Reading<T> | null, answer: Envelope<T>, now: string): Reading<T> {
  if (answer.ok) return { kind: 'read', value: answer.value, readAt: now }
  // Only `not-found` says something about the campaign itself.
  if (before === null || before.kind === 'failed' || answer.failure.code === 'not-found') {
    return { kind: 'failed', failure: answer.failure }
  }
  return { kind: 'old', value: before.value, readAt: before.readAt, failure: answer.failure }
}
