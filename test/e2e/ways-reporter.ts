import type { Reporter, Suite } from '@playwright/test/reporter'
import { WAYS, whyNot } from './ways.ts'

/** Says in which ways the console is tried, and why not in the others: what was skipped must not look like what went well. */
// biome-ignore lint/style/noDefaultExport: Playwright takes a reporter's file by its default export.
export default class WaysReporter implements Reporter {
  onBegin(_config: unknown, suite: Suite): void {
    const projects = suite.suites.map(({ title }) => title)
    for (const way of WAYS.filter(name => projects.includes(name))) {
      const reason = whyNot(way)
      console.log(reason === null ? `Way ${way}: tried.` : `Way ${way}: NOT tried. ${reason}.`)
    }
  }
  printsToStdio(): boolean {
    return false
  }
}
