import { useConsole } from '../stores/console.ts'
import { ask, onResync } from './transport.ts'

/** Learns what this console is; answers how to stop. */
export function followConsole(): () => void {
  void describe()
  return onResync(() => void describe())
}

async function describe(): Promise<void> {
  const answer = await ask('console.describe', {})
  if (answer.ok) useConsole.setState({ description: answer.value })
}
