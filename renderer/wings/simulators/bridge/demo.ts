import type { DemoState, Envelope } from '../../../../shared/contract/index.ts'
import type { Trouble } from '../../../../shared/domain/demo-troubles.ts'
import { readAgain } from '../../../bridge/journal.ts'
import { askMain, listen, onResync } from '../../../bridge/transport.ts'
import { useDemo } from '../stores/demo.ts'

/** Keeps the demo's state current; returns a stop function. */
export function followDemo(): () => void {
  void readDemo()
  const stops = [listen('demo.changed', show), onResync(() => void readDemo())]
  return () => {
    for (const stop of stops) stop()
  }
}

export async function readDemo(): Promise<void> {
  const answer = await askMain('demo.show', {})
  if (answer.ok) show(answer.value)
}

/** Switches a trouble of the demo on or off. */
export async function switchTrouble(name: Trouble, on: boolean): Promise<Envelope<DemoState>> {
  const answer = await askMain('demo.change', { name, on })
  if (answer.ok) show(answer.value)
  return answer
}

function show(state: DemoState): void {
  const before = useDemo.getState().state
  useDemo.setState({ state })
  // The runs and windows of the history came without events.
  if (before?.history != null && state.history === null) void readAgain()
}
