import { resolve } from 'node:path'
import type { Command } from '../command.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'

/** `window feed`: the first call creates the address. */
export const showFeed: Command = async context => {
  const { args, printer, io, atEnd } = context
  if (args.isSet('renew') && args.isSet('off')) return reportUsage(context, '--renew and --off contradict each other.')
  const dataDirectory = args.text('data-dir')
  const app = await io.openApp({
    dataDirectory: dataDirectory === null ? null : resolve(io.workDirectory, dataDirectory),
    demo: args.isSet('demo'),
  })
  if (!app.ok) return reportFailure(context, app.failure)
  atEnd(() => app.value.close())
  const feed = app.value.calendarFeed
  if (args.isSet('off')) {
    const stopped = feed.stop()
    if (!stopped.ok) return reportFailure(context, stopped.failure)
    printer.say('Lockkeeper no longer answers calendars.')
    if (printer.json) printer.value({ address: null })
    return 0
  }
  const kept = args.isSet('renew') ? feed.renew() : feed.secret()
  if (!kept.ok) return reportFailure(context, kept.failure)
  const secret = kept.value === null ? feed.renew() : kept
  if (!secret.ok) return reportFailure(context, secret.failure)
  const port = args.number('port')
  const address = `http://127.0.0.1:${port ?? 'PORT'}/calendar/${secret.value}.ics`
  if (printer.json) printer.value({ address })
  printer.say(
    'Subscribe a calendar on this machine to:',
    '',
    `  ${address}`,
    '',
    'Anyone with this address can read the windows, and nothing else. `window feed --renew` replaces it.',
    port === null
      ? 'PORT is the port of `lockkeeper serve --port PORT`.'
      : `It works while \`lockkeeper serve --port ${port}\` runs.`,
  )
  return 0
}
