import type { InstanceRemedy } from '../domain/instance-remedy.ts'

/** What a remedy of an instance is called, what it leads to, its cost and its effect. */
export const REMEDY_WORDS: Readonly<
  Record<
    InstanceRemedy,
    {
      readonly label: string
      readonly outcome: string
      readonly cost: string
      readonly effect: (name: string) => string
    }
  >
> = {
  'reset-state': {
    label: 'Reset its state',
    outcome: 'then it can move',
    cost: 'Nova takes it for running',
    effect: name => `If ${name} does not really run, its move fails.`,
  },
  stop: {
    label: 'Shut it down',
    outcome: 'it stays here, off',
    cost: 'Down until its owner starts it',
    effect: name => `${name} stays on its node, off.`,
  },
}
