import { resolve } from 'node:path'
import type { Command } from '../command.ts'
import { reportFailure } from '../report-failure.ts'

/** `serve`: the console in a browser of this machine, until Ctrl-C. Runs it drives stay resumable. */
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
    inBrowser ? 'The console is opened in your browser. If it is not, open this address:' : 'Open the console:',
    '',
    `  ${address}`,
    '',
    'The address lets one tab of a browser in, once, within ten minutes.',
    io.canAsk ? 'Enter prints a fresh one; Ctrl-C stops.' : 'Ctrl-C stops.',
  )
  if (args.isSet('demo')) printer.say('It works on embedded demo clouds: nothing outside this process is touched.')
  const ending = new AbortController()
  const asking = io.canAsk ? printFreshAddresses() : null
  await stopped
  ending.abort()
  await asking
  printer.say(
    '',
    args.isSet('demo')
      ? 'The console is stopped, and its demo clouds with it.'
      : 'The console is stopped. Runs it was driving can be resumed.',
  )
  return 0

  async function printFreshAddresses(): Promise<void> {
    while ((await io.readLine(ending.signal)) !== null) {
      printer.say(`  ${console.freshAddress()}`)
    }
  }
}
