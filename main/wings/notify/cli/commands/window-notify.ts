import type { OwnerMessage } from '../../../../../shared/domain/mail.ts'
import { counted } from '../../../../../shared/grammar/counts.ts'
import { instantWords } from '../../../../../shared/grammar/times.ts'
import type { Command, CommandContext } from '../../../../faces/cli/command.ts'
import { confirm } from '../../../../faces/cli/follow/questions.ts'
import { renderWarning } from '../../../../faces/cli/render/render-failure.ts'
import { reportFailure, reportUsage } from '../../../../faces/cli/report-failure.ts'
import { hang } from '../../../../faces/cli/words/width.ts'
import { windowMessages } from '../window-messages.ts'

/** `window notify`: shows the messages and recipients, asks, sends, and prints each result. */
export const notifyWindow: Command = async context => {
  const { args, contract, printer, io } = context
  const interactive = io.canAsk && printer.channel.isTTY
  if (!interactive && !args.isSet('yes')) {
    return reportUsage(context, 'There is no terminal to ask. Read `window owners --message` first, then give --yes.')
  }
  const id = args.operand('WINDOW')
  const made = await windowMessages(id, context)
  if (!made.ok) return reportFailure(context, made.failure)
  const { messages, digest, unreachable } = made.value
  for (const missing of unreachable) printer.warn(...renderWarning(missing, printer.warningLook))
  if (messages.length === 0) {
    printer.say('No instance waits for its owner or stops: nobody needs a message.')
    if (printer.json) printer.value({ sent: [] })
    return 0
  }
  for (const message of messages) printer.say(...shown(message, context))
  const never = new AbortController().signal
  const addressed = messages.filter(({ to }) => to.length > 0)
  const known = addressed.filter(({ before }) => before.length > 0)
  const again =
    args.isSet('again') ||
    (known.length > 0 &&
      interactive &&
      !args.isSet('yes') &&
      (await confirm(
        `Send again to ${counted(known.length, 'project')} that got it, or may have got it?`,
        context,
        never,
      )))
  const wanted = addressed.filter(({ before }) => again || before.length === 0)
  if (wanted.length === 0) {
    printer.say(
      known.length > 0
        ? 'Nothing to send: all projects got it, or may have got it. --again sends it again.'
        : 'Nothing to send: no project has an address.',
    )
    if (printer.json) printer.value({ sent: [] })
    return known.length > 0 ? 0 : 1
  }
  if (!args.isSet('yes') && !(await confirm(`Send ${counted(wanted.length, 'message')} now?`, context, never))) {
    printer.say('Nothing was sent.')
    return 3
  }
  const sent = await contract.ask('window.notify', { id, digest, again })
  if (!sent.ok) return reportFailure(context, sent.failure)
  for (const { projectId, projectName, to, outcome, words } of sent.value.sent) {
    const { symbols, palette, columns } = printer.look
    const [sign, paint] =
      outcome === 'sent'
        ? [symbols.ok, palette.good]
        : outcome === 'failed'
          ? [symbols.blocked, palette.bad]
          : ['?', palette.warn]
    const what = outcome === 'sent' ? 'sent' : outcome === 'failed' ? 'not sent' : 'may have been sent'
    printer.say(
      ...hang(
        `${sign} `,
        `${projectName ?? projectId ?? 'no project'}, ${to.join(', ')}: ${what}. ${words}`,
        columns,
      ).map(paint),
    )
  }
  if (printer.json) printer.value(sent.value)
  return sent.value.sent.length === wanted.length && sent.value.sent.every(({ outcome }) => outcome === 'sent') ? 0 : 1
}

function shown(
  { projectId, projectName, to, why, subject, text, before, instances }: OwnerMessage,
  { printer }: CommandContext,
): readonly string[] {
  const { palette, columns, symbols } = printer.look
  return [
    palette.strong(`Project ${projectName ?? projectId ?? 'unknown'}, ${counted(instances, 'instance')}`),
    ...hang('To       ', to.length === 0 ? `nobody: ${why}` : `${to.join(', ')} (${why})`, columns).map(
      to.length === 0 ? palette.warn : same,
    ),
    ...hang('Subject  ', subject, columns),
    ...before.flatMap(({ at, to: whom, outcome, by }) =>
      hang(
        `${symbols.warning} `,
        `${outcome === 'sent' ? 'Sent' : 'May have been sent'} on ${instantWords(at)} to ${whom.join(', ')}, by ${by}.`,
        columns,
      ).map(palette.warn),
    ),
    '',
    ...text.split('\n').flatMap(line => hang('  ', line, columns)),
    '',
  ]
}

function same(text: string): string {
  return text
}
