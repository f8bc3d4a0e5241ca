import { seconds } from '../../../shared/domain/durations.ts'
import type { AlertmanagerSettings, KeptSilence } from '../../../shared/domain/signals.ts'

/** Alertmanager may round times by this. */
const ROUNDED_BY_MS = seconds(1)

/** A silence that this process keeps. */
export interface Held {
  readonly silence: KeptSilence
  /** The end that this process set; 0: an earlier process set it. */
  readonly endsAtMs: number
  /** The journal says that it was prolonged; later times are not reported. */
  readonly reported: boolean
  /** This process asked Alertmanager to end it, and got no answer. */
  readonly isEndAsked: boolean
}

/** The end that was set last, as far as this process or the journal knows. */
export function setTo({ silence, endsAtMs }: Pick<Held, 'silence' | 'endsAtMs'>): number {
  return endsAtMs === 0 ? Date.parse(silence.endsAt) : endsAtMs
}

/** It lapsed only if it ended at the time that was set and this process did not ask for its end; else someone ended it. */
export function howOver(endedAt: string, own: Pick<Held, 'silence' | 'endsAtMs' | 'isEndAsked'>): 'lapsed' | 'ended' {
  const isAsSet = Math.abs(Date.parse(endedAt) - setTo(own)) <= ROUNDED_BY_MS
  return isAsSet && !own.isEndAsked ? 'lapsed' : 'ended'
}

/** Whether someone else ended it before the time that this process set; a small difference of clocks does not count. */
export function isCutShort(endedAt: string, own: Pick<Held, 'endsAtMs' | 'isEndAsked'>): boolean {
  return !own.isEndAsked && Date.parse(endedAt) < own.endsAtMs - ROUNDED_BY_MS
}

/** Host and port of an Alertmanager. */
export function hostOf({ endpoint }: Pick<AlertmanagerSettings, 'endpoint'>): string {
  return new URL(endpoint.url).host
}
