import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../clock/clock.ts'
import { CHROMIUM_VARIABLE, type FoundChromium, findChromium, type PrintingMachine } from './find-chromium.ts'

/** The options of faces that are not a browser. */
interface PrintOptions {
  readonly machine: PrintingMachine
  readonly clock: Clock
  /** Chromium's sandbox does not run as root; only then it is turned off. */
  readonly isRoot: boolean
}

/** Longer than any page takes. */
const WITHIN_MS = 90_000

/** Prints a self-contained page as PDF with a Chromium of this machine; a failure says what is missing. */
export function printWithChromium(options: PrintOptions): (html: string) => Promise<Result<Uint8Array>> {
  return async html => {
    const browser = findChromium(options.machine)
    if (browser.kind !== 'found') return failed(refusal('not-found', missing(browser)))
    let folder: string
    try {
      folder = await mkdtemp(join(tmpdir(), 'lockkeeper-print-'))
    } catch (reason) {
      return failed(
        refusal('internal', because('PdfFolderNotMade', { folder: tmpdir() }), {
          detail: wordsOf(reason),
        }),
      )
    }
    try {
      return await printIn(folder, html, browser.path, options)
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }).catch(() => {})
    }
  }
}

async function printIn(
  folder: string,
  html: string,
  browser: string,
  { clock, isRoot }: PrintOptions,
): Promise<Result<Uint8Array>> {
  const page = join(folder, 'report.html')
  const pdf = join(folder, 'report.pdf')
  try {
    await writeFile(page, html, { mode: 0o600 })
  } catch (reason) {
    return failed(
      refusal('internal', because('PdfPageNotWritten', { folder }), {
        detail: wordsOf(reason),
      }),
    )
  }
  const ended = await runBrowser(
    browser,
    [...argumentsOf(folder, pdf, isRoot), pathToFileURL(page).href],
    clock,
    WITHIN_MS,
  )
  if (ended.kind === 'not-started') {
    return failed(
      refusal('not-found', because('PdfBrowserNotStarted', { browser, variable: CHROMIUM_VARIABLE }), {
        detail: ended.why,
      }),
    )
  }
  if (ended.kind === 'too-long') {
    return failed(refusal('timed-out', because('PdfBrowserTooLong', { browser, seconds: WITHIN_MS / 1000 })))
  }
  const printed = await readFile(pdf).catch(() => null)
  if (printed === null || !isPdf(printed)) {
    return failed(
      refusal('server-fault', because('PdfBrowserEndedWithout', { browser, exitCode: ended.code }), {
        detail: ended.said,
        retryable: false,
      }),
    )
  }
  return ok(new Uint8Array(printed))
}

/** A separate profile, so that the operator's browser and extensions are not affected; no name resolution and no proxy, so that no page can send anything from the machine. */
function argumentsOf(folder: string, pdf: string, isRoot: boolean): readonly string[] {
  return [
    '--headless',
    '--disable-gpu',
    '--disable-extensions',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    '--no-default-browser-check',
    '--no-proxy-server',
    '--host-resolver-rules=MAP * ~NOTFOUND',
    `--user-data-dir=${join(folder, 'profile')}`,
    '--no-pdf-header-footer',
    '--generate-pdf-document-outline',
    `--print-to-pdf=${pdf}`,
    ...(isRoot ? ['--no-sandbox'] : []),
  ]
}

function missing(browser: Exclude<FoundChromium, { kind: 'found' }>): Finding {
  const variable = CHROMIUM_VARIABLE
  return browser.kind === 'named-wrongly'
    ? because('PdfBrowserNamedWrongly', { browser: browser.path, variable })
    : because('PdfBrowserNotFound', { lookedFor: browser.lookedFor, variable })
}

function isPdf(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, 5)) === '%PDF-'
}

function wordsOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}

type BrowserEnd =
  | { readonly kind: 'ended'; readonly code: number | null; readonly said: string }
  | { readonly kind: 'not-started'; readonly why: string }
  | { readonly kind: 'too-long' }

/** How much of its output is kept for messages. */
const MOST_SAID = 2_000
/** How long it may take to end after SIGTERM. */
const GRACE_MS = 2_000
/** How long to wait for its last output after it ended; a remaining helper may keep its standard error open. */
const LAST_WORDS_MS = 500

/** Runs a browser to its end; one that takes too long is killed with its child processes. */
async function runBrowser(path: string, args: readonly string[], clock: Clock, withinMs: number): Promise<BrowserEnd> {
  const over = new AbortController()
  // A separate process group: a browser has several processes, and all must end.
  const child = spawn(path, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: process.platform !== 'win32' })
  let said = ''
  child.stderr.setEncoding('utf8')
  child.stderr.on('data', (text: string) => {
    if (said.length < MOST_SAID) said += text.slice(0, MOST_SAID - said.length)
  })
  const ended = new Promise<BrowserEnd>(resolve => {
    child.once('error', reason => resolve({ kind: 'not-started', why: reason.message }))
    child.once('exit', code => {
      const received = new AbortController()
      child.once('close', () => received.abort())
      void clock.sleep(LAST_WORDS_MS, received.signal).then(() => resolve({ kind: 'ended', code, said }))
    })
  })
  const late = clock.sleep(withinMs, over.signal).then((): BrowserEnd => ({ kind: 'too-long' }))
  const first = await Promise.race([ended, late])
  over.abort()
  if (first.kind === 'too-long') {
    stop(child.pid, 'SIGTERM')
    const gone = new AbortController()
    await Promise.race([ended, clock.sleep(GRACE_MS, gone.signal)])
    gone.abort()
  }
  // Remaining helpers may still write to the profile, which is removed next.
  stop(child.pid, 'SIGKILL')
  return first
}

function stop(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    // It has ended already.
  }
}
