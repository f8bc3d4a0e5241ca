import { type GateDoubt, type GateVerdict, stopWords } from '../domain/health-gates.ts'
import { asPhrase } from '../grammar/counts.ts'

/** What a gate says of its answer, as a phrase: `it is 0.2, and > 0.01 stops`. */
export function gateWords(verdict: GateVerdict): string {
  switch (verdict.kind) {
    case 'stops': {
      const { worst, more, stopsWhen } = verdict
      return `it is ${valueWords(worst)}${more === 0 ? '' : ` and ${more} more`}, and ${stopWords(stopsWhen)} stops`
    }
    case 'healthy': {
      const { first, total, stopsWhen } = verdict
      return `${valueWords(first)}${total === 1 ? '' : `, ${total} values`}, and ${stopWords(stopsWhen)} would stop`
    }
    case 'cannot-tell':
      return doubtWords(verdict.why)
  }
}

/** Why an answer tells nothing, as a phrase. */
export function doubtWords(why: GateDoubt): string {
  switch (why.code) {
    case 'NoValue':
      return 'the answer holds no value at all'
    case 'NoNumber':
      return `${valueWords(why.of)} is no number`
    case 'OtherMoment':
      return `the answer is of ${why.at}: its clock and ours are apart`
    case 'NotWhole':
      return `the answer may not be whole: ${asPhrase(why.cause)}`
  }
}

function valueWords({ labels, value }: { readonly labels: string; readonly value: string }): string {
  return labels === '' ? value : `${value} of ${labels}`
}
