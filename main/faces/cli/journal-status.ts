import type { Contract } from '../../../shared/contract/index.ts'
import type { CommandContext } from './command.ts'
import { oneLine } from './words/clean-text.ts'

/** Why the journal can only be read, in one line; null: it takes what happens, or how it stands is not known. */
export async function whyOnlyRead(contract: Contract): Promise<string | null> {
  const status = await contract.ask('journal.status', {})
  return status.ok && status.value.readOnly !== null ? oneLine(status.value.readOnly) : null
}

/** Prints a list from the journal. One that may not be all there was says so: an empty list is not "none yet" then. */
export async function sayFromJournal(
  { contract, printer }: Pick<CommandContext, 'contract' | 'printer'>,
  lines: readonly string[],
  isEmpty: boolean,
): Promise<void> {
  const why = await whyOnlyRead(contract)
  if (!printer.json) printer.say(...(isEmpty && why !== null ? ['The journal, as it is now, has none of it.'] : lines))
  if (why !== null) printer.warn(why)
}
