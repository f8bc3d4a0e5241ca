import { resolve } from 'node:path'
import type { Contract } from '../../../shared/contract/index.ts'
import { cleanContract } from './clean-contract.ts'
import type { CommandContext } from './command.ts'
import { renderFailure } from './render/render-failure.ts'

/** Opens the application for a command; on failure prints why and returns null. */
export async function openContract(
  { printer, io, atEnd }: Pick<CommandContext, 'printer' | 'io' | 'atEnd'>,
  demo: boolean,
  dataDirectory: string | null,
  readsOnly = false,
): Promise<Contract | null> {
  const open = readsOnly ? io.openReading : io.openApp
  const app = await open({
    dataDirectory: dataDirectory === null ? null : resolve(io.workDirectory, dataDirectory),
    demo,
  })
  if (!app.ok) {
    printer.warn(...renderFailure(app.failure, printer.warningLook, printer.verbose))
    return null
  }
  atEnd(() => app.value.close())
  return printer.json ? app.value.contract : cleanContract(app.value.contract)
}
