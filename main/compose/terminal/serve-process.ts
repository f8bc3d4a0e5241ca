import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { type App, createApp } from '../../app.ts'
import { ownProgram } from '../../faces/cli/own-program.ts'
import { hasPage, PAGE_DIRECTORY } from '../../faces/cli/page-directory.ts'
import type { OpenedConsole, ServeRequest } from '../../faces/cli/process-io.ts'
import type { CrashReporter } from '../../faces/cli/report-crashes.ts'
import { READ_JOURNAL } from '../../faces/cli/run-cli.ts'
import { calendarAnswers } from '../../faces/serve/calendar-answer.ts'
import { hasDisplay, openBrowser } from '../../faces/serve/open-browser.ts'
import { serveConsole } from '../../faces/serve/serve-console.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { machinePrinter } from '../../platform/print/machine-printer.ts'

/** Opens the application and serves it to browsers on this machine. */
export async function serveProcess(request: ServeRequest, crashes: CrashReporter): Promise<Result<OpenedConsole>> {
  if (!hasPage()) {
    return failed(refusal('not-found', because('PageNotBuilt', { directory: PAGE_DIRECTORY })))
  }
  const app = await createApp({
    dataDirectory: request.dataDirectory,
    demo: request.demo,
    demoWish: request.demoWish,
    face: {
      kind: 'serve',
      pickFiles: null,
      secrets: null,
      journalReader: ownProgram(READ_JOURNAL),
      printPdf: machinePrinter(),
    },
  })
  if (!app.ok) return app
  crashes.know(app.value)
  const log = app.value.log.child('serve')
  const served = await serveConsole({
    contract: app.value.contract,
    directory: PAGE_DIRECTORY,
    port: request.port,
    alsoCalled: request.alsoCalled,
    calendar: calendarAnswers(app.value.calendarFeed, app.value.contract, systemClock, log),
    log,
  })
  if (!served.ok) {
    await app.value.close()
    return served
  }
  const runner = request.demoWish.runner && app.value.demo !== null ? await runnerOf(app.value, app.value.demo) : null
  return ok({
    port: served.value.port,
    freshAddress: served.value.freshAddress,
    openBrowser: async address => hasDisplay(process.env, process.platform) && openBrowser(address),
    onDemo: listener => {
      const { contract } = app.value
      void contract.ask('demo.show', {}).then(shown => {
        if (shown.ok) listener(shown.value)
      })
      return contract.listen('demo.changed', listener)
    },
    stop: async () => {
      await served.value.stop()
      await runner?.stop()
      await app.value.close()
    },
  })
}

/** The demo continues without a runner that does not start. */
async function runnerOf({ log }: App, demo: NonNullable<App['demo']>) {
  const started = await (await import('./demo-runner.ts')).startDemoRunner(demo, () => {})
  if (started.ok) return started.value
  log.error('demo-without-runner', { why: started.failure.message })
  return null
}
