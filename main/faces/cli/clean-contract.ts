import type { Contract } from '../../../shared/contract/index.ts'
import { cleanDeep } from './words/clean-text.ts'

/**
 * The contract as people see it: a name or message from a cloud that carries terminal sequences arrives here without them, so that no
 * renderer has to think of it. With `-o json` the contract is used as it is; JSON escapes such characters itself.
 */
export function cleanContract(contract: Contract): Contract {
  return {
    ask: async (name, input) => {
      const answer = await contract.ask(name, input)
      // A file is saved letter by letter: a report that was cleaned would not be the one that was made.
      return name === 'report.make' && answer.ok ? answer : cleanDeep(answer)
    },
    listen: (name, onEvent) => contract.listen(name, payload => onEvent(cleanDeep(payload))),
  }
}
