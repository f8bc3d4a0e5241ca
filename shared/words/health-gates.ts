import { type GateDoubt, type GateVerdict, stopWords } from '../domain/health-gates.ts'
import { asPhrase } from '../grammar/counts.ts'
import { instantWords } from '../grammar/times.ts'

/** The verdict of a gate, as a phrase: `it is 0.2, and > 0.01 stops`. */
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

/** Why an answer has no verdict, as a phrase. */
export function doubtWords(why: GateDoubt): string {
  switch (why.code) {
    case 'NoValue':
      return 'the answer has no value'
    case 'NoNumber':
      return `${valueWords(why.of)} is not a number`
    case 'OtherMoment':
      return `the answer is from ${instantWords(why.at)}: its clock differs from this machine's`
    case 'NotWhole':
      return `the answer may be incomplete: ${asPhrase(why.cause)}`
  }
}

function valueWords({ labels, value }: { readonly labels: string; readonly value: string }): string {
  return labels === '' ? value : `${value} of ${labels}`
}
