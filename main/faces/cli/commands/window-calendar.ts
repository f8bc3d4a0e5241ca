import { resolve } from 'node:path'
import type { Envelope } from '../../../../shared/contract/index.ts'
import { ok } from '../../../../shared/domain/result.ts'
import type { MaintenanceWindow } from '../../../../shared/domain/window.ts'
import { counted } from '../../../../shared/grammar/counts.ts'
import { windowsCalendar } from '../../../../shared/words/window-calendar.ts'
import { isoNow } from '../../../platform/clock/clock.ts'
import type { Command, CommandContext } from '../command.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'
import { notAFile, saveFile } from '../save-file.ts'
import { oneLine } from '../words/clean-text.ts'

export const writeCalendar: Command = async context => {
  const { args, printer, io } = context
  const output = args.text('output')
  const wrong = notAFile(output, 'For windows in JSON use `window list -o json`')
  if (wrong !== null) return reportUsage(context, wrong)
  const windows = await wanted(args.operands['CLUSTER|WINDOW'], context)
  if (!windows.ok) return reportFailure(context, windows.failure)
  const text = windowsCalendar(windows.value, isoNow(io.clock))
  if (output === null || output === '-') {
    io.out.write(text)
    return 0
  }
  const path = resolve(io.workDirectory, output)
  const refused = await saveFile(path, Buffer.from(text), args.isSet('force'))
  if (refused !== null) return reportFailure(context, refused)
  printer.say(`Written: ${oneLine(path)}, ${counted(windows.value.length, 'window')}.`)
  return 0
}

/** The name of a cluster wins over the beginning of a window's id. */
async function wanted(
  named: string | undefined,
  { contract }: Pick<CommandContext, 'contract'>,
): Promise<Envelope<readonly MaintenanceWindow[]>> {
  const clusters = named === undefined ? null : await contract.ask('cluster.list', {})
  if (clusters !== null && !clusters.ok) return clusters
  if (named !== undefined && clusters?.value.every(({ name }) => name !== named)) {
    const shown = await contract.ask('window.show', { id: named })
    return shown.ok ? ok([shown.value.window]) : shown
  }
  const listed = await contract.ask('window.list', { cluster: named ?? null })
  return listed.ok ? ok(listed.value.map(({ window }) => window)) : listed
}
