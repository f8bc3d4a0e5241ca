import { resolve } from 'node:path'
import type { Command } from '../command.ts'
import { reportFailure } from '../report-failure.ts'

/** `serve`: its runs can be resumed after Ctrl-C. */
export const serve: Command = async context => {
  const { args, printer, io, interruptions, atEnd } = context
  const dataDirectory = args.text('data-dir')
  const opened = await io.serveConsole({
    dataDirectory: dataDirectory === null ? null : resolve(io.workDirectory, dataDirectory),
    demo: args.isSet('demo'),
    port: args.number('port') ?? 0,
    alsoCalled: args.texts('host-name'),
  })
  if (!opened.ok) return reportFailure(context, opened.failure)
  const console = opened.value
  atEnd(console.stop)
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  interruptions.handle(() => stop())

  const address = console.freshAddress()
  if (printer.json) printer.value({ url: address, port: console.port, pid: io.pid })
  const inBrowser = !args.isSet('no-open') && (await console.openBrowser(address))
  printer.say(
    inBrowser ? 'The console opens in your browser. If it does not, open this address:' : 'Open the console:',
    '',
    `  ${address}`,
    '',
    'The address works once, for one browser tab, within ten minutes.',
    io.canAsk ? 'Enter prints a new one; Ctrl-C stops.' : 'Ctrl-C stops.',
  )
  if (args.isSet('demo')) printer.say('It uses demo clouds. Nothing outside this process changes.')
  const ending = new AbortController()
  const asking = io.canAsk ? printFreshAddresses() : null
  await stopped
  ending.abort()
  await asking
  printer.say(
    '',
    args.isSet('demo') ? 'The console and its demo clouds stopped.' : 'The console stopped. You can resume its runs.',
  )
  return 0

  async function printFreshAddresses(): Promise<void> {
    while ((await io.readLine(ending.signal)) !== null) {
      printer.say(`  ${console.freshAddress()}`)
    }
  }
}
