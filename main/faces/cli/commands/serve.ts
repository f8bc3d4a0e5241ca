import { resolve } from 'node:path'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { historyWords } from '../../../../shared/words/demo-troubles.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import type { ParsedArguments } from '../arguments/parsed-arguments.ts'
import type { Command } from '../command.ts'
import type { Printer } from '../printer.ts'
import type { OpenedConsole, ServeRequest } from '../process-io.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'
import { troublesAsked } from '../troubles-asked.ts'

/** `serve`: its runs can be resumed after Ctrl-C. */
export const serve: Command = async context => {
  const { args, printer, io, interruptions, atEnd } = context
  const dataDirectory = args.text('data-dir')
  const wish = demoWish(args)
  if (!wish.ok) return reportUsage(context, wish.failure.message)
  const opened = await io.serveConsole({
    dataDirectory: dataDirectory === null ? null : resolve(io.workDirectory, dataDirectory),
    demo: args.isSet('demo'),
    demoWish: wish.value,
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
  if (args.isSet('demo')) {
    printer.say('It uses demo clouds. Nothing outside this process changes.')
    atEnd(showHistory(console, printer))
  }
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

/** What a demo does from its start; real clouds are refused it. */
function demoWish(args: ParsedArguments): Result<ServeRequest['demoWish']> {
  const update = args.isSet('update')
  const troubles = troublesAsked(args)
  if (!troubles.ok) return troubles
  const flag = troubles.value.length > 0 ? 'trouble' : update ? 'update' : null
  if (flag === null || args.isSet('demo')) return ok({ troubles: troubles.value, update })
  return failed(refusal('bad-input', because('OnlyWithDemo', { flag })))
}

/** Shows how much of the demo's history is played, in one line that changes; in a file, the first and the last. */
function showHistory(console: OpenedConsole, { look, json, prompt, say }: Printer): () => Promise<void> {
  let shown = false
  const stop = console.onDemo(({ history }) => {
    if (json || (history === null && !shown)) return
    if (history === null) {
      shown = false
      say(look.ansi ? '\r\x1b[KThe history is ready.' : 'The history is ready.')
    } else if (look.ansi || !shown) {
      shown = true
      if (look.ansi) prompt(`\r\x1b[K${historyWords(history)}`)
      else say(historyWords(history))
    }
  })
  return async () => stop()
}
