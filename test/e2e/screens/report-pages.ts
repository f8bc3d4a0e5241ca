import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createServer } from 'vite'
import type { Report } from '../../../shared/domain/report.ts'

const HOUSE = resolve(import.meta.dirname, '../../..')

/** Pages of reports as files, as an operator opens them. */
export interface ReportPages {
  readonly addressOf: (name: string, report: Report) => Promise<string>
  readonly close: () => Promise<void>
}

/** Makes pages with the sources; by Vite, because Playwright has another use for JSX. */
export async function reportPages(): Promise<ReportPages> {
  const folder = await mkdtemp(join(tmpdir(), 'lockkeeper-report-pages-'))
  const vite = await createServer({
    configFile: false,
    root: HOUSE,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, watch: null, hmr: false, ws: false },
    optimizeDeps: { noDiscovery: true },
  })
  const { reportHtml } = (await vite.ssrLoadModule('/main/reports/html.ts')) as {
    readonly reportHtml: (report: Report) => string
  }
  return {
    addressOf: async (name, report) => {
      const path = join(folder, `${name}.html`)
      await writeFile(path, reportHtml(report))
      return pathToFileURL(path).href
    },
    close: async () => {
      await vite.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
