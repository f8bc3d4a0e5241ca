import type { ReactNode } from 'react'
import type { ConsoleCommand } from '../../../renderer/stores/commands.ts'
import type { Route } from '../../../renderer/stores/route.ts'
import type { Slots } from '../../../renderer/ui/slots.ts'

export const campaignCommands = (_knowsRunner: boolean): readonly ConsoleCommand[] => []
export const campaignOfPlan: Slots['campaignOfPlan'] = null
export const campaignScreenOf = (_place: Route): ReactNode => null
export const followCampaignsFromAfar = () => () => {}
export const useKnowsRunner = () => false
export const useNeeds = () => NOTHING

const NOTHING = { needs: [], unread: [] }
