import type { ConsoleCommand } from '../../../stores/commands.ts'
import { goTo } from '../../../stores/route.ts'

/** The palette offers a runner to who has none; campaigns need one. */
export function campaignCommands(knowsRunner: boolean): readonly ConsoleCommand[] {
  const campaigns = () => goTo({ kind: 'campaigns' })
  if (!knowsRunner) return [{ id: 'runner', title: 'Set up a runner', group: 'Console', keys: null, run: campaigns }]
  return [
    { id: 'campaigns', title: 'Campaigns', group: 'Go to', keys: 'g m', run: campaigns },
    {
      id: 'new-campaign',
      title: 'New campaign',
      group: 'Campaigns',
      keys: null,
      run: () => goTo({ kind: 'new-campaign', by: null, namespace: null, name: null }),
    },
  ]
}
