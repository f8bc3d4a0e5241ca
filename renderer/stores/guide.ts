import { create } from 'zustand'

const KEPT = 'lockkeeper-guide'

/** What only the page sees of the guide's steps; runs say the rest. */
export type GuideSight = 'open' | 'plan' | 'report'

interface GuideStore {
  /** `new`: this browser has not shown it yet. `ended`: followed or skipped; it does not appear again. */
  readonly state: 'new' | 'begun' | 'ended'
  readonly seen: ReadonlySet<GuideSight>
  /** The node it points at, as `cluster/node`; null if there is none. */
  readonly pointedAt: string | null
}

/** How far a new operator of the demo has come in its guide. */
export const useGuide = create<GuideStore>()(() => ({ ...kept(), pointedAt: null }))

export function noteSight(sight: GuideSight): void {
  const { state, seen } = useGuide.getState()
  if (state === 'begun' && !seen.has(sight)) keep({ state, seen: new Set(seen).add(sight) })
}

export function beginGuide(): void {
  if (useGuide.getState().state === 'new') keep({ state: 'begun', seen: new Set() })
}

export function endGuide(): void {
  keep({ state: 'ended', seen: new Set() })
  useGuide.setState({ pointedAt: null })
}

function keep(given: Pick<GuideStore, 'state' | 'seen'>): void {
  useGuide.setState(given)
  try {
    globalThis.localStorage?.setItem(KEPT, [given.state, ...given.seen].join(' '))
  } catch {
    // A browser that keeps nothing shows it again next time.
  }
}

function kept(): Pick<GuideStore, 'state' | 'seen'> {
  const marks = new Set(readKept().split(' '))
  const state = (['begun', 'ended'] as const).find(each => marks.has(each)) ?? 'new'
  return { state, seen: new Set((['open', 'plan', 'report'] as const).filter(each => marks.has(each))) }
}

function readKept(): string {
  try {
    return globalThis.localStorage?.getItem(KEPT) ?? ''
  } catch {
    return ''
  }
}
