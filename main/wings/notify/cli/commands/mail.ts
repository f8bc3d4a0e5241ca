import { resolve } from 'node:path'
import { MailSettings } from '../../../../../shared/domain/mail.ts'
import type { Command, CommandContext } from '../../../../faces/cli/command.ts'
import type { ExitCode } from '../../../../faces/cli/exit-code.ts'
import { reportFailure, reportUsage } from '../../../../faces/cli/report-failure.ts'
import { hang } from '../../../../faces/cli/words/width.ts'
import { readNamedText } from '../../../../platform/files/named-file.ts'

export const showMail: Command = async context => printMailSettings(context)

export const setMail: Command = async context => {
  const { args, contract, io } = context
  const kept = await contract.ask('mail.show', {})
  if (!kept.ok) return reportFailure(context, kept.failure)
  const before = kept.value?.settings
  if (args.isSet('user') && args.isSet('no-user'))
    return reportUsage(context, '--user and --no-user contradict each other.')
  const security = args.text('security') ?? before?.security ?? 'starttls'
  const sameSecurity = security === before?.security
  const addresses = args.text('addresses')
  const parsed = MailSettings.safeParse({
    host: args.text('host') ?? before?.host,
    port: args.number('port') ?? (sameSecurity ? before?.port : PORTS[security]),
    security,
    user: args.isSet('no-user') ? null : (args.text('user') ?? before?.user ?? null),
    from: args.text('from') ?? before?.from,
    addresses: addresses === null ? (before?.addresses ?? null) : resolve(io.workDirectory, addresses),
  })
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const option = String(issue?.path[0])
    // For a missing setting the schema only says that its type is wrong.
    const isMissing = issue?.code === 'invalid_type'
    return reportUsage(
      context,
      isMissing ? `Give --${option}.` : `--${option} must be ${issue?.message ?? 'as its help says'}.`,
    )
  }
  const file = args.text('password-file')
  const read = file === null ? null : await readNamedText(resolve(io.workDirectory, file), 4_096)
  if (read !== null && !read.ok) return reportFailure(context, read.failure)
  const password = args.isSet('no-user') ? '' : read?.value.split(/\r?\n/)[0]
  const changed = await contract.ask('mail.change', {
    settings: parsed.data,
    ...(password === undefined ? {} : { password }),
  })
  return changed.ok ? printMailSettings(context) : reportFailure(context, changed.failure)
}

const PORTS: Readonly<Record<string, number>> = { starttls: 587, tls: 465, plain: 25 }

async function printMailSettings(context: CommandContext): Promise<ExitCode> {
  const { contract, printer } = context
  const shown = await contract.ask('mail.show', {})
  if (!shown.ok) return reportFailure(context, shown.failure)
  if (printer.json) printer.value(shown.value)
  if (shown.value === null) {
    printer.say('Mail is not set up. See `lockkeeper mail set --help`.')
    return 0
  }
  const { settings, hasPassword } = shown.value
  const line = (name: string, text: string) => printer.say(...hang(name.padEnd(11), text, printer.look.columns))
  line('Server', `${settings.host}, port ${settings.port}, ${settings.security}`)
  line(
    'Logs in',
    settings.user === null ? 'nobody' : `${settings.user}, ${hasPassword ? 'with a password' : 'without a password'}`,
  )
  line('Sender', settings.from)
  line('Addresses', settings.addresses ?? 'none, so nobody gets mail (`mail set --addresses FILE`)')
  return 0
}
