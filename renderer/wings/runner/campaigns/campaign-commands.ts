import type { ConsoleCommand } from '../../../stores/commands.ts'
import { goTo } from '../../../stores/route.ts'

export const campaignCommands: readonly ConsoleCommand[] = [
  {
    id: 'campaigns',
    title: 'Campaigns',
    group: 'Go to',
    keys: 'g m',
    run: () => goTo({ kind: 'campaigns' }),
  },
  {
    id: 'new-campaign',
    title: 'New campaign',
    group: 'Campaigns',
    keys: null,
    run: () => goTo({ kind: 'new-campaign', by: null, namespace: null, name: null }),
  },
]
