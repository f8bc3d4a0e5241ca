import { ownersCsv } from '../../../../shared/domain/owners.ts'
import type { Command } from '../command.ts'
import { leftOut } from '../left-out.ts'
import { plannedWork } from '../planned-work.ts'
import { renderWarning } from '../render/render-failure.ts'
import { renderOwners } from '../render/render-owners.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'

export const showOwners: Command = async context => {
  const { args, contract, printer } = context
  if (args.isSet('message') && args.isSet('csv')) {
    return reportUsage(context, '--message is for people, --csv for a spreadsheet. Give one of them.')
  }
  const folder = args.text('mail')
  if (folder !== null) {
    return context.parts.mails?.writeMails(folder, context) ?? reportFailure(context, leftOut('mail'))
  }
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

function messages(projects: readonly { readonly message: string }[]): readonly string[] {
  if (projects.length === 0) return ['No instance waits for its owner or stops: nobody needs a message.']
  return projects.flatMap(({ message }, at) => [...(at === 0 ? [] : ['', '-'.repeat(72), '']), ...message.split('\n')])
}
