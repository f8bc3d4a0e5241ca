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

// Where the page meets its wings: no other file of the core imports their doors.
fillSlots({ campaignOfPlan, loadSignalSettings, useNeeds, useKnowsRunner })

export {
  campaignCommands as commandsOfWings,
  campaignScreenOf as screenOfWing,
  followCampaignsFromAfar as followWings,
  useKnowsRunner,
}
