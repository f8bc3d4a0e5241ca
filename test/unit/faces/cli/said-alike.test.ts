import { describe, expect, it } from 'vitest'
import { createRunDisplay } from '../../../../main/faces/cli/follow/run-display.ts'
import { createPrinter } from '../../../../main/faces/cli/printer.ts'
import { renderLive } from '../../../../main/faces/cli/render/render-live.ts'
import { renderRun } from '../../../../main/faces/cli/render/render-run.ts'
import { renderRuns } from '../../../../main/faces/cli/render/render-runs.ts'
import { USUAL_COMMANDS } from '../../../../main/faces/cli/words/commands-here.ts'
import { systemClock } from '../../../../main/platform/clock/clock.ts'
import { summarizeRun } from '../../../../main/runs/engine/run-summary.ts'
import type { RunEvent } from '../../../../shared/domain/run.ts'
import { LOCK_WAITING } from '../../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../../shared/domain/run-fold.ts'
import { pipeLook, terminalLook } from '../../../fixtures/cli/looks.ts'
import { createSampleRun } from '../../../fixtures/cli/sample-run.ts'
import { reportOf } from '../../../fixtures/reports/reported-run.ts'

const WEB = '11111111-1111-4111-8111-111111111111'
const SAID = `Some servers are still present on the host. Notify owners of the following server: ["${WEB}"] Servers with unset maintenance action: []`
const WORDS = 'web-7 is still on cmp-1, left to its owner.'

/** A run whose node waits for the owner of an instance, since 10:00:08. */
function waitingForOwner() {
  const sample = createSampleRun()
  sample.created()
  sample.started('drain-node')
  sample.fact('drain-node', 'instances-noted', 'node/cmp-1', {
    host: 'cmp-1',
    ids: [WEB],
    instances: [{ id: WEB, name: 'web-7' }],
  })
  const values = { controller: 'openstack', state: 'active', kind: 'blocked', message: SAID }
  const at = sample.fact('drain-node', LOCK_WAITING, 'lock/openstack-cmp-1', values).at
  return { sample, since: at.slice(11, 19) }
}

describe('a run that waits for the owner of an instance', () => {
  const { sample, since } = waitingForOwner()
  const view = foldRun(sample.events)
  const summary = summarizeRun(view, false)
  const flat = (lines: readonly string[]) => lines.join(' ').replace(/\s+/g, ' ')

  it('is listed so, with the instance by name and who can end it; its stored state stays', () => {
    expect(summary).toMatchObject({ state: 'running', condition: { kind: 'waiting' } })
    expect(summary.summary).toContain(WORDS)
    expect(flat(renderRuns([summary], pipeLook))).toContain('waits for an owner')
  })

  it('is shown so, since when, with what the controller said itself', () => {
    const text = flat(renderRun(summary, view, sample.events, pipeLook, { verbose: false, later: [] }))
    expect(text).toContain(
      `state waits for an owner since ${since}. Waits: ${WORDS} Its owner can move, stop or delete it`,
    )
    expect(text).toContain(`said ${SAID}`)
  })

  it('is followed so', () => {
    expect(flat(renderLive(view, Date.parse('2026-11-21T10:01:00.000Z'), terminalLook(300), 40))).toContain(
      `Waits since ${since}: ${WORDS} Its owner can move`,
    )
  })

  it('is followed so line by line too, once', () => {
    const said: string[] = []
    const channel = { isTTY: false, columns: 300, rows: 40, write: (text: string) => void said.push(text) }
    const printer = createPrinter(
      { env: {}, out: channel, err: channel, clockChoice: 'utc' },
      { json: false, verbose: false, noColor: true },
      USUAL_COMMANDS,
    )
    const events: RunEvent[] = []
    const display = createRunDisplay(printer, systemClock, events)
    for (const event of [...sample.events, ...sample.events.slice(-1)]) {
      events.push(event)
      display.update(event)
    }
    expect(flat(said).match(new RegExp(`Waits: ${WORDS} Its owner can move`, 'g'))).toHaveLength(1)
  })

  it('is reported so', () => {
    const report = reportOf(sample.events)
    expect(report.runs[0]).toMatchObject({ state: 'running', stands: 'waits for an owner', summary: summary.summary })
    expect(report.completeness).toMatchObject({ words: expect.stringContaining('It waits for an owner.') })
  })
})
