import type { Contract } from '../../../shared/contract/index.ts'
import type { CommandContext } from './command.ts'
import { oneLine } from './words/clean-text.ts'

/** Why the journal is read-only, in one line; null if it is writable, or its state is unknown. */
export async function whyOnlyRead(contract: Contract): Promise<string | null> {
  const status = await contract.ask('journal.status', {})
  return status.ok && status.value.readOnly !== null ? oneLine(status.value.readOnly) : null
}

/** Prints a list from the journal, with a warning if entries may be missing: an empty list does not mean "none yet" then. */
export async function sayFromJournal(
  { contract, printer }: Pick<CommandContext, 'contract' | 'printer'>,
  lines: readonly string[],
  isEmpty: boolean,
): Promise<void> {
  const why = await whyOnlyRead(contract)
  if (!printer.json) printer.say(...(isEmpty && why !== null ? ['The journal has no such entries.'] : lines))
  if (why !== null) printer.warn(why)
}
