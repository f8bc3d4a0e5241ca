import type { Placed } from '../domain/plan.ts'
import type { NoTemplate } from '../domain/silence-matchers.ts'
import { workTitle } from './plans.ts'

/** What Alertmanager shows of a silence; `by`: by what it is found again, and who asked for it. */
export function silenceComment(work: Placed, by: string): string {
  return `${workTitle(work)}: ${by}. It expires by itself when Lockkeeper is gone.`
}

/** Why a template of silences cannot be used. */
export function noTemplateWords(why: NoTemplate): string {
  const { template } = why
  switch (why.code) {
    case 'NoMatchers':
      return `${template} is no list of matchers such as instance=~"NODE(:[0-9]+)?", job="node".`
    case 'NameExcluded':
      return `${template} has ${why.names.join(' or ')} in a matcher that excludes.`
    case 'NameMissing':
      return `${template} has no ${why.names.join(' or ')}: it would silence what the run does not touch.`
    case 'MatchesOthers':
      return `${template} matches other names than the one that is put in, such as probe-10 for probe-1. Make it exact.`
    case 'NoRegularExpression':
      return `${template} has a regular expression that is none.`
  }
}
