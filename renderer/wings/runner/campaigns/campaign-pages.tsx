import type { ReactNode } from 'react'
import { hashOf, type Route } from '../../../stores/route.ts'
import { later } from '../../../ui/later.tsx'

const CampaignScreen = later(async () => (await import('./campaign-screen.tsx')).CampaignScreen)
const CampaignsScreen = later(async () => (await import('./campaigns-screen.tsx')).CampaignsScreen)
const NewCampaignScreen = later(async () => (await import('./new-campaign-screen.tsx')).NewCampaignScreen)

/** The screens of campaigns, which load when they are shown. */
export function campaignScreenOf(
  place: Extract<Route, { readonly kind: 'campaigns' | 'campaign' | 'new-campaign' }>,
): ReactNode {
  switch (place.kind) {
    case 'campaigns':
      return <CampaignsScreen />
    case 'campaign': {
      const { by, namespace, name } = place
      return <CampaignScreen key={hashOf(place)} by={by} namespace={namespace} name={name} />
    }
    case 'new-campaign':
      return <NewCampaignScreen key={hashOf(place)} by={place.by} namespace={place.namespace} name={place.name} />
  }
}
