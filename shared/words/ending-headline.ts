import { isAsAgreed, isOfForcedDown } from '../domain/node-verdict.ts'
import type { Plan } from '../domain/plan.ts'
import type { RunEnding } from '../domain/run-ending.ts'
import { verdictNamed } from './node-verdict.ts'
import { doneWords, mayPowerOff } from './run-ending.ts'
import type { NamedTitle } from './runs.ts'

/** The headline of an ending, with its weighty part apart: `cmp-01 is empty.`, `Safe to power off.` */
export function endingHeadline(ending: RunEnding, plan: Plan): { readonly named: NamedTitle; readonly strong: string } {
  const of = (named: NamedTitle, strong = '') => ({ named, strong })
  switch (ending.kind) {
    case 'NodeEmpty':
      return of(['', ending.node, 'is empty.'], 'Safe to power off.')
    case 'NodeNotEmpty': {
      const [before, name, after] = verdictNamed(ending.node, ending.verdict)
      if (mayPowerOff(ending)) return of([before, name, `${after}.`], 'Safe to power off.')
      const isPlain = ending.verdict.kind === 'Unknown' || isAsAgreed(ending.verdict) || isOfForcedDown(ending.verdict)
      return isPlain ? of([before, name, `${after}.`]) : of(['', name, 'is'], 'NOT empty.')
    }
    case 'InService':
      return of(['', ending.node, 'is'], 'back in service.')
    case 'HeldBack': {
      const [before, name, after] = verdictNamed(ending.node, ending.verdict)
      return of([before, name, `${after}.`])
    }
    case 'Finished':
      return of(['', '', `${doneWords(plan)}.`])
    case 'Stopped':
      return of(['', '', ''], ending.outcome === 'failed' ? 'Failed.' : 'Stopped.')
    case 'Untouched':
      return of(['', '', ''], 'Not started. Nothing changed.')
    case 'HandedOver':
      return of(['', '', ''], 'Handed over.')
  }
}
