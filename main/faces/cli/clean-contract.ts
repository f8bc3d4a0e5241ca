import type { Contract } from '../../../shared/contract/index.ts'
import { cleanDeep } from './words/clean-text.ts'

/** The contract with control characters removed from all texts, so that renderers need not care. Not used with `-o json`, where JSON escapes them. */
export function cleanContract(contract: Contract): Contract {
  return {
    ask: async (name, input) => {
      const answer = await contract.ask(name, input)
      // A report is saved byte by byte: cleaning would change it.
      return name === 'report.make' && answer.ok ? answer : cleanDeep(answer)
    },
    listen: (name, onEvent) => contract.listen(name, payload => onEvent(cleanDeep(payload))),
  }
}
