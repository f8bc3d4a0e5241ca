import type { ReactNode } from 'react'
import type { ConsoleCommand } from '../../../renderer/stores/commands.ts'
import type { Route } from '../../../renderer/stores/route.ts'
import type { Slots } from '../../../renderer/ui/slots.ts'

export const campaignCommands: readonly ConsoleCommand[] = []
export const campaignOfPlan: Slots['campaignOfPlan'] = null
export const campaignScreenOf = (_place: Route): ReactNode => null
export const CampaignsLink = (_: { readonly place: Route }): ReactNode => null
export const useNeeds = () => ({ amount: 0, unread: [], lines: (_onLeave: () => void): ReactNode => null })
