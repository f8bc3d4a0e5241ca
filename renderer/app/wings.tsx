import type { ReactNode } from 'react'
import type { ConsoleCommand } from '../stores/commands.ts'
import type { Route } from '../stores/route.ts'
import { fillSlots } from '../ui/slots.ts'
import { loadSignalSettings } from '../wings/notify/door.tsx'
import { CampaignsLink, campaignCommands, campaignOfPlan, campaignScreenOf, useNeeds } from '../wings/runner/door.tsx'
import { DemoMenu, demoCommands } from '../wings/simulators/door.tsx'

// Where the page meets its wings: no other file of the core imports their doors.
fillSlots({ campaignOfPlan, DemoMenu, loadSignalSettings })

export const commandsOfWings: readonly ConsoleCommand[] = [...campaignCommands, ...demoCommands]

export { campaignScreenOf as screenOfWing, useNeeds as useNeedsOfWings }

export function RailLinksOfWings({ place }: { readonly place: Route }): ReactNode {
  return <CampaignsLink place={place} />
}
