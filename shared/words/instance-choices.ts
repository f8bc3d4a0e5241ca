import type { InstanceChoice, StuckRule } from '../domain/instance-choice.ts'
import { counted, listed } from '../grammar/counts.ts'
import { durationWords } from '../grammar/durations.ts'

/** The effect of each choice about an instance, as a phrase. */
export const INSTANCE_CHOICE_WORDS: Readonly<Record<InstanceChoice, string>> = {
  wait: 'keep waiting for it',
  'abort-and-retry': 'abort its move, which leaves it running on its node, and move it again',
  'abort-and-leave': 'abort its move and leave it on its node, which will not be empty',
  'force-complete': 'have Nova complete it now: the instance may pause until the copy is complete',
  cold: 'abort its move and move it with downtime',
  stop: 'abort its move and stop it where it is; its owner starts it again',
  skip: 'leave the instance where it is: its node will not be empty',
}

/** The button of a choice about one or several instances. */
export function instanceChoiceLabel(choice: InstanceChoice, count: number): string {
  const it = count === 1 ? 'it' : 'them'
  switch (choice) {
    case 'wait':
      return 'Keep waiting'
    case 'abort-and-retry':
      return 'Try again'
    case 'abort-and-leave':
    case 'skip':
      return `Leave ${it} here`
    case 'force-complete':
      return 'Finish now'
    case 'cold':
      return 'Move with downtime'
    case 'stop':
      return `Shut ${it} down`
  }
}

/** What a choice costs, and what it does: the cost is read before the button. */
export function choiceEffect(
  choice: InstanceChoice,
  { names, node }: { readonly names: readonly string[]; readonly node: string },
): { readonly cost: string; readonly effect: string } {
  const isOne = names.length === 1
  const who = names.length > 2 ? counted(names.length, 'instance') : listed(names)
  const [stay, their, owner] = isOne ? ['stays', 'Its', 'its owner'] : ['stay', 'Their', 'their owners']
  switch (choice) {
    case 'wait':
      return { cost: 'Costs time only', effect: `${who} ${stay} up. It may never finish.` }
    case 'abort-and-retry':
      return { cost: 'Costs time only', effect: `${who} ${stay} up. ${their} move starts over.` }
    case 'abort-and-leave':
    case 'skip':
      return { cost: `${node} will not be empty`, effect: `${who} ${stay} up on ${node}. The others still move.` }
    case 'force-complete':
      return { cost: 'May pause until the copy is complete', effect: 'Nova finishes the move now.' }
    case 'cold':
      return {
        cost: `Down while ${isOne ? 'it moves' : 'they move'}`,
        effect: isOne ? `${who} shuts down, moves and starts again.` : `${who} shut down, move and start again.`,
      }
    case 'stop':
      return { cost: `Down until ${owner} start${isOne ? 's it' : ' them'}`, effect: `${who} ${stay} on ${node}, off.` }
  }
}

/** The rule for a live migration without progress, in a phrase. */
export function stuckRuleWords({ afterMs, do: rule }: StuckRule): string {
  return `${STUCK_WORDS[rule]} after ${durationWords(afterMs)} without progress`
}

const STUCK_WORDS: Readonly<Record<StuckRule['do'], string>> = {
  ask: 'asks you about a migration',
  'force-complete': 'completes a migration now',
  'abort-and-retry': 'tries a migration again',
  'abort-and-leave': 'leaves an instance here',
  cold: 'moves an instance with downtime',
}
