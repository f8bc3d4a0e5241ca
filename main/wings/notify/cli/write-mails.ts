import { resolve } from 'node:path'
import type { CommandContext } from '../../../faces/cli/command.ts'
import type { ExitCode } from '../../../faces/cli/exit-code.ts'
import { renderWarning } from '../../../faces/cli/render/render-failure.ts'
import { reportFailure, reportUsage } from '../../../faces/cli/report-failure.ts'
import { saveFile } from '../../../faces/cli/save-file.ts'
import { oneLine } from '../../../faces/cli/words/clean-text.ts'
import { isoNow } from '../../../platform/clock/clock.ts'
import { mailFile } from '../mail/mail-file.ts'
import { windowMessages } from './window-messages.ts'

/** One file per project, readable only by this user; never overwrites. Recipients come from the operator's file of addresses. */
export async function writeMails(folder: string, context: CommandContext): Promise<ExitCode> {
  const { args, contract, printer, io } = context
  const id = args.operands.WINDOW
  if (id === undefined) return reportUsage(context, '--mail needs a window: the message says when the work is planned.')
  const made = await windowMessages(id, context)
  if (!made.ok) return reportFailure(context, made.failure)
  const { messages, unreachable } = made.value
  for (const missing of unreachable) printer.warn(...renderWarning(missing, printer.warningLook))
  const mail = await contract.ask('mail.show', {})
  if (!mail.ok) return reportFailure(context, mail.failure)
  const files: string[] = []
  for (const { projectId, projectName, to, subject, text } of messages) {
    const name = (projectName ?? projectId ?? 'no-project').replaceAll(/[^A-Za-z0-9._-]+/g, '_').slice(0, 60)
    const path = resolve(
      io.workDirectory,
      folder,
      `${name}${projectId === null ? '' : `-${projectId.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 8)}`}.eml`,
    )
    const from = mail.value?.settings.from ?? null
    const file = await mailFile({ from, to, subject, text, at: isoNow(io.clock), id: null })
    const refused = await saveFile(path, file, false, AROUND_MAILS)
    if (refused !== null) return reportFailure(context, refused)
    files.push(path)
    printer.say(`Written: ${oneLine(path)}${to.length === 0 ? ', without an address' : `, to ${to.join(', ')}`}`)
  }
  if (files.length === 0) printer.say('No instance waits for its owner or stops: nobody needs a message.')
  if (printer.json) printer.value({ files })
  return 0
}

const AROUND_MAILS = {
  another: 'name another folder with --mail',
  whereOneIs: 'Remove it, or name another folder with --mail.',
}
