import { resolve } from 'node:path'
import { ownersCsv } from '../../../../shared/domain/owners.ts'
import { isoNow } from '../../../platform/clock/clock.ts'
import { windowMessages } from '../../../wings/notify/cli/window-messages.ts'
import { mailFile } from '../../../wings/notify/mail/mail-file.ts'
import type { Command, CommandContext } from '../command.ts'
import type { ExitCode } from '../exit-code.ts'
import { plannedWork } from '../planned-work.ts'
import { renderWarning } from '../render/render-failure.ts'
import { renderOwners } from '../render/render-owners.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'
import { saveFile } from '../save-file.ts'
import { oneLine } from '../words/clean-text.ts'

export const showOwners: Command = async context => {
  const { args, contract, printer } = context
  if (args.isSet('message') && args.isSet('csv')) {
    return reportUsage(context, '--message is for people, --csv for a spreadsheet. Give one of them.')
  }
  const folder = args.text('mail')
  if (folder !== null) return writeMails(folder, context)
  const work = await plannedWork(context)
  if (!work.ok) return reportFailure(context, work.failure)
  const { cluster, plan, window } = work.value
  const { startsAt, endsAt, timeZone } = window ?? {}
  const announced =
    startsAt === undefined || endsAt === undefined || timeZone === undefined
      ? {}
      : { announced: { startsAt, endsAt, timeZone } }
  const listed = await contract.ask('owners.list', { cluster, plan, ...announced })
  if (!listed.ok) return reportFailure(context, listed.failure)
  for (const missing of listed.value.unreachable) printer.warn(...renderWarning(missing, printer.warningLook))
  if (printer.json) printer.value(listed.value)
  else if (args.isSet('csv')) printer.say(...ownersCsv(listed.value.projects).trimEnd().split('\r\n'))
  else if (args.isSet('message')) printer.say(...messages(listed.value.projects))
  else printer.say(...renderOwners(listed.value, printer.look))
  return 0
}

/** One file per project, readable only by this user; never overwrites. Recipients come from the operator's file of addresses. */
async function writeMails(folder: string, context: CommandContext): Promise<ExitCode> {
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

function messages(projects: readonly { readonly message: string }[]): readonly string[] {
  if (projects.length === 0) return ['No instance waits for its owner or stops: nobody needs a message.']
  return projects.flatMap(({ message }, at) => [...(at === 0 ? [] : ['', '-'.repeat(72), '']), ...message.split('\n')])
}
