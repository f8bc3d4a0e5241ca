import type { ConsoleCommand } from '../stores/commands.ts'
import { fillSlots } from '../ui/slots.ts'
import { loadSignalSettings } from '../wings/notify/door.tsx'
import {
  campaignCommands,
  campaignOfPlan,
  campaignScreenOf,
  followCampaignsFromAfar,
  useKnowsRunner,
  useNeeds,
} from '../wings/runner/door.tsx'
import { DemoMenu, demoCommands } from '../wings/simulators/door.tsx'

// Where the page meets its wings: no other file of the core imports their doors.
fillSlots({ campaignOfPlan, DemoMenu, loadSignalSettings, useNeeds, useKnowsRunner })

export function commandsOfWings(knowsRunner: boolean): readonly ConsoleCommand[] {
  return [...campaignCommands(knowsRunner), ...demoCommands]
}

export { campaignScreenOf as screenOfWing, followCampaignsFromAfar as followWings, useKnowsRunner }
