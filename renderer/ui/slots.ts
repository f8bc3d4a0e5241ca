import type { ComponentType } from 'react'
import type { Cluster } from '../../shared/domain/cluster.ts'
import type { Need } from './needs/needs.ts'

/** What the wings put into screens of the core; null if this build leaves the wing out. */
export interface Slots {
  /** The campaign that starts a run in the cluster, and why a typed name is not one. */
  readonly campaignOfPlan: {
    readonly Field: ComponentType<{
      readonly cluster: string
      /** The text as typed; empty if there is none. */
      readonly campaign: string
      readonly onCampaign: (campaign: string) => void
    }>
    readonly whyNot: (campaign: string) => string | null
  } | null
  /** What the bar of the demo has besides: the menu of its troubles. */
  readonly DemoMenu: ComponentType | null
  /** Campaigns that need you; `unread`: the runners that did not answer, null if not asked yet. A hook. */
  readonly useNeeds: (() => { readonly needs: readonly Need[]; readonly unread: readonly string[] | null }) | null
  /** Whether this console has, or ever had, a runner: without one nothing speaks of runners. A hook. */
  readonly useKnowsRunner: (() => boolean) | null
  readonly loadSignalSettings: (() => Promise<ComponentType<{ readonly cluster: Cluster }>>) | null
}

let filled: Slots = {
  campaignOfPlan: null,
  DemoMenu: null,
  useNeeds: null,
  useKnowsRunner: null,
  loadSignalSettings: null,
}

/** Only renderer/app/wings.tsx fills them, before a screen is drawn. */
export function fillSlots(slots: Slots): void {
  filled = slots
}

export function slots(): Slots {
  return filled
}
