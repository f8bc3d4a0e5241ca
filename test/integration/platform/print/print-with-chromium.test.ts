import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Clock, systemClock } from '../../../../main/platform/clock/clock.ts'
import { findChromium } from '../../../../main/platform/print/find-chromium.ts'
import { machinePrinter } from '../../../../main/platform/print/machine-printer.ts'
import { printWithChromium } from '../../../../main/platform/print/print-with-chromium.ts'
import { reportHtml } from '../../../../main/reports/html.ts'
import { must } from '../../../../shared/domain/must.ts'
import { isProgram } from '../../../fixtures/is-program.ts'
import { pdfPages, pdfText } from '../../../fixtures/reports/read-pdf.ts'
import { richReport, smallReport } from '../../../fixtures/reports/sample-report.ts'

const here = { platform: process.platform, env: process.env, isProgram }
const browser = findChromium(here)

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockkeeper-print-test-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe.skipIf(browser.kind !== 'found')('with the Chromium of this machine', () => {
  test('a report becomes a PDF of A4 pages that has its title, its nodes, every instance and the hash', async () => {
    const report = richReport()
    const printed = await machinePrinter()(reportHtml(report))
    const pdf = must(printed.ok ? printed.value : null, printed.ok ? '' : printed.failure.message)
    expect(new TextDecoder('latin1').decode(pdf.subarray(0, 5))).toBe('%PDF-')
    const pages = pdfPages(pdf)
    expect(pages.length).toBeGreaterThan(3)
    expect(new Set(pages.map(({ width, height }) => `${width}x${height}`))).toEqual(new Set(['595x842']))
    // Where a line ends is the printer's business. The font draws both apostrophes with one glyph.
    const text = pdfText(pdf).replaceAll(/\s+/g, '').replaceAll('ʼ', '’')
    for (const wanted of [
      report.title,
      report.summary.headline,
      ...report.nodes.map(({ node }) => node),
      ...report.instances.flatMap(({ id, name }) => [id, name]),
      report.chain.after,
      `Page 1 of ${pages.length}`,
    ]) {
      expect(text).toContain(wanted.replaceAll(/\s+/g, ''))
    }
  })

  test('it leaves nothing in the folder for temporary files', async () => {
    // One of this test's own: others print at the same time.
    vi.stubEnv('TMPDIR', folder)
    try {
      expect(await machinePrinter()(reportHtml(smallReport()))).toMatchObject({ ok: true })
      expect((await readdir(folder)).filter(name => name.startsWith('lockkeeper-print-'))).toEqual([])
    } finally {
      vi.unstubAllEnvs()
    }
  })

  test('a page that wants something of the network does not get it', async () => {
    let asked = 0
    const server = createServer((_, answer) => {
      asked += 1
      answer.end()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const printed = await machinePrinter()(
      `<img src="http://localhost:${port}/x.png"><img src="http://127.0.0.1:${port}/y.png"><p>text`,
    )
    await new Promise(resolve => server.close(resolve))
    expect(printed.ok).toBe(true)
    expect(asked).toBe(0)
  })
})

/** A program that stands for a browser: a script, with the arguments it was given in `arguments`. */
async function program(script: string): Promise<string> {
  const path = join(folder, 'browser')
  await writeFile(path, `#!/bin/sh\nprintf '%s\\n' "$@" > '${folder}/arguments'\n${script}\n`)
  await chmod(path, 0o700)
  return path
}

function printerOf(path: string, more: { isRoot?: boolean; clock?: Clock } = {}) {
  const machine = { platform: 'linux', env: { LOCKKEEPER_CHROMIUM: path }, isProgram }
  return printWithChromium({
    machine,
    clock: more.clock ?? systemClock,
    isRoot: more.isRoot ?? false,
  })
}

describe.skipIf(process.platform === 'win32')('a browser that does not print', () => {
  test('is named, with what it said and its exit code', async () => {
    const path = await program('echo "no display here" >&2; exit 21')
    await expect(printerOf(path)('<p>')).resolves.toMatchObject({
      ok: false,
      failure: {
        code: 'server-fault',
        message: expect.stringContaining(`${path} ended without writing one (exit code 21)`),
        detail: 'no display here\n',
      },
    })
  })

  test('is reported with its last output, though that is read after its end', async () => {
    const path = await program('(sleep 0.1; echo "no display here" >&2) & exit 21')
    await expect(printerOf(path)('<p>')).resolves.toMatchObject({
      failure: { code: 'server-fault', detail: 'no display here\n' },
    })
  })

  test('is stopped at its time limit, with its children, and leaves nothing', async () => {
    const path = await program(`sleep 60 & echo $! > '${folder}/made'; mv '${folder}/made' '${folder}/child'; wait`)
    const child = () => readFile(join(folder, 'child'), 'utf8')
    // The time limit passes once it has started its child, however busy this machine is.
    const clock: Clock = {
      ...systemClock,
      sleep: async (ms, signal) => {
        if (ms >= 60_000) await vi.waitFor(child, { timeout: 20_000, interval: 10 })
        else await systemClock.sleep(ms, signal)
      },
    }
    const printed = await printerOf(path, { clock })('<p>')
    expect(printed).toMatchObject({ ok: false, failure: { code: 'timed-out', retryable: true } })
    const started = Number(await child())
    await expect.poll(() => isAlive(started)).toBe(false)
  })

  test('keeps its sandbox, but for root, whom it would refuse to serve', async () => {
    const path = await program('exit 0')
    await printerOf(path)('<p>')
    expect(await readFile(join(folder, 'arguments'), 'utf8')).not.toContain('--no-sandbox')
    await printerOf(path, { isRoot: true })('<p>')
    expect(await readFile(join(folder, 'arguments'), 'utf8')).toContain('--no-sandbox')
  })

  test('finds the page as a file that only its owner can read, in a separate folder', async () => {
    const path = await program(
      `for last; do :; done; page="\${last#file://}"; stat -c %a "$page" > '${folder}/mode'; stat -c %a "$(dirname "$page")" > '${folder}/folder-mode'`,
    )
    await printerOf(path)('<p>secret')
    expect((await readFile(join(folder, 'mode'), 'utf8')).trim()).toBe('600')
    expect((await readFile(join(folder, 'folder-mode'), 'utf8')).trim()).toBe('700')
  })
})

/** Whether a process still runs; a zombie does not. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return state.status === 0 && !state.stdout.trim().startsWith('Z')
}

describe('which browser prints', () => {
  const machine = (platform: string, env: Record<string, string>, ...programs: readonly string[]) => ({
    platform,
    env,
    isProgram: (path: string) => programs.includes(path),
  })

  test.each([
    ['linux', { PATH: '/opt/bin:/usr/bin' }, '/usr/bin/google-chrome'],
    ['linux', { PATH: '' }, '/snap/bin/chromium'],
    ['darwin', { HOME: '/Users/r' }, '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
    ['darwin', { HOME: '/Users/r' }, '/Users/r/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge'],
    ['win32', { PROGRAMFILES: 'C:\\Programs' }, 'C:\\Programs\\Google\\Chrome\\Application\\chrome.exe'],
    ['win32', { 'PROGRAMFILES(X86)': 'C:\\x86' }, 'C:\\x86\\Microsoft\\Edge\\Application\\msedge.exe'],
  ])('on %s with %o: %s', (platform, env, path) => {
    expect(findChromium(machine(platform, env, path))).toEqual({ kind: 'found', path })
  })

  test('the one the operator names goes first, and no other takes its place', () => {
    const env = { PATH: '/usr/bin', LOCKKEEPER_CHROMIUM: '/opt/mine' }
    expect(findChromium(machine('linux', env, '/usr/bin/chromium', '/opt/mine'))).toEqual({
      kind: 'found',
      path: '/opt/mine',
    })
    expect(findChromium(machine('linux', env, '/usr/bin/chromium'))).toEqual({
      kind: 'named-wrongly',
      path: '/opt/mine',
    })
  })

  test('a folder of PATH that is not absolute is passed over', () => {
    expect(findChromium(machine('linux', { PATH: '.:bin' }, 'chromium', 'bin/chromium', './chromium')).kind).toBe(
      'none',
    )
  })

  test('without a browser the message names the searched programs, the variable, and the way without', async () => {
    const print = printWithChromium({
      machine: machine('linux', { PATH: '/usr/bin' }),
      clock: systemClock,
      isRoot: false,
    })
    await expect(print('<p>')).resolves.toMatchObject({
      ok: false,
      failure: {
        code: 'not-found',
        message:
          'The PDF was not printed: no suitable browser exists on this machine (chromium, chromium-browser, google-chrome, google-chrome-stable, microsoft-edge, microsoft-edge-stable). Install one, or name it in LOCKKEEPER_CHROMIUM. Or export HTML, and print it from any browser.',
      },
    })
  })
})
