import { seconds } from '../../../shared/domain/durations.ts'
import type { AlertmanagerSettings, KeptSilence } from '../../../shared/domain/signals.ts'

/** Alertmanager may round the times that it was given. */
const ROUNDED_BY_MS = seconds(1)

/** A silence that this process keeps. */
export interface Held {
  readonly silence: KeptSilence
  /** As this process had it set; 0: an earlier one had. */
  readonly endsAtMs: number
  /** Prolonged once, and told so. */
  readonly reported: boolean
  /** It was asked to be ended, and no answer was heard. */
  readonly isEndAsked: boolean
}

/** When it ends, as it was set last, as far as this process or the journal knows. */
export function setTo({ silence, endsAtMs }: Pick<Held, 'silence' | 'endsAtMs'>): number {
  return endsAtMs === 0 ? Date.parse(silence.endsAt) : endsAtMs
}

/** That it lapsed by itself is known only where it ended at the time it was set to, and nobody asked for its end. */
export function howOver(endedAt: string, own: Pick<Held, 'silence' | 'endsAtMs' | 'isEndAsked'>): 'lapsed' | 'ended' {
  const isAsSet = Math.abs(Date.parse(endedAt) - setTo(own)) <= ROUNDED_BY_MS
  return isAsSet && !own.isEndAsked ? 'lapsed' : 'ended'
}

/** Whether it is over earlier than this process had it set, by somebody else, and not only by another clock. */
export function isCutShort(endedAt: string, own: Pick<Held, 'endsAtMs' | 'isEndAsked'>): boolean {
  return !own.isEndAsked && Date.parse(endedAt) < own.endsAtMs - ROUNDED_BY_MS
}

/** Host and port of an Alertmanager. */
export function hostOf({ endpoint }: Pick<AlertmanagerSettings, 'endpoint'>): string {
  return new URL(endpoint.url).host
}
