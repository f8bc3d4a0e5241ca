import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { createApp } from '../../app.ts'
import { machinePrinter } from '../../print/machine-printer.ts'
import { hasDisplay, openBrowser } from '../serve/open-browser.ts'
import { serveConsole } from '../serve/serve-console.ts'
import type { OpenedConsole, ServeRequest } from './process-io.ts'
import type { CrashTeller } from './tell-crashes.ts'

// The bundle lies beside the page, in out/; the source does not.
const BESIDE = join(import.meta.dirname, '../renderer')
const RENDERER = existsSync(BESIDE) ? BESIDE : join(import.meta.dirname, '../../../out/renderer')

/** Builds the application and serves it to browsers of this machine. */
export async function serveProcess(request: ServeRequest, crashes: CrashTeller): Promise<Result<OpenedConsole>> {
  if (!existsSync(join(RENDERER, 'index.html'))) {
    return failed(
      failure('not-found', `The console's page is not built: ${RENDERER} is missing. Run \`npm run build\` first.`),
    )
  }
  const app = await createApp({
    dataDirectory: request.dataDirectory,
    demo: request.demo,
    face: { kind: 'serve', pickFiles: null, secrets: null, printPdf: machinePrinter() },
  })
  if (!app.ok) return app
  crashes.know(app.value)
  const served = await serveConsole({
    contract: app.value.contract,
    directory: RENDERER,
    port: request.port,
    alsoCalled: request.alsoCalled,
    log: app.value.log.child('serve'),
  })
  if (!served.ok) {
    await app.value.close()
    return served
  }
  return ok({
    port: served.value.port,
    freshAddress: served.value.freshAddress,
    openBrowser: async address => hasDisplay(process.env, process.platform) && openBrowser(address),
    stop: async () => {
      await served.value.stop()
      await app.value.close()
    },
  })
}
