import { TROUBLES } from '../../../shared/domain/demo-troubles.ts'
import { TROUBLE_TITLES } from '../../../shared/words/demo-troubles.ts'
import type { ConsoleCommand } from '../../stores/commands.ts'
import { switchTrouble } from './bridge/demo.ts'
import { useDemo } from './stores/demo.ts'

/** Each trouble of the demo, on and off; a console of real clouds has none of them. */
export const demoCommands: readonly ConsoleCommand[] = TROUBLES.flatMap(name => {
  const isOn = () => useDemo.getState().state?.troubles.find(trouble => trouble.name === name)?.on
  return [true, false].map(
    (on): ConsoleCommand => ({
      id: `demo.${name}.${on ? 'on' : 'off'}`,
      title: `${on ? 'Make it fail' : 'End the trouble'}: ${TROUBLE_TITLES[name]}`,
      group: 'Demo',
      keys: null,
      run: () => void switchTrouble(name, on),
      available: () => isOn() === !on,
    }),
  )
})
