import type { Placed } from '../../../domain/plan.ts'
import type { NoTemplate } from '../../../domain/silence-matchers.ts'
import { workTitle } from '../../../words/plans.ts'

/** The comment of a silence in Alertmanager; `by`: its mark, and who requested it. */
export function silenceComment(work: Placed, by: string): string {
  return `${workTitle(work)}: ${by}. It expires automatically when Lockkeeper stops.`
}

/** Why a template of silences is unusable. */
export function noTemplateWords(why: NoTemplate): string {
  const { template } = why
  switch (why.code) {
    case 'NoMatchers':
      return `${template} is not a list of matchers such as instance=~"NODE(:[0-9]+)?", job="node".`
    case 'NameExcluded':
      return `${template} has ${why.names.join(' or ')} in a matcher that excludes.`
    case 'NameMissing':
      return `${template} has no ${why.names.join(' or ')}, so it would silence alerts of other nodes.`
    case 'MatchesOthers':
      return `${template} matches other names too, such as probe-10 for probe-1. Make it exact.`
    case 'NoRegularExpression':
      return `${template} contains an invalid regular expression.`
  }
}
