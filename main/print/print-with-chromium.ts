import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { failure } from '../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { Clock } from '../clock/clock.ts'
import { CHROMIUM_VARIABLE, type FoundChromium, findChromium, type PrintingMachine } from './find-chromium.ts'
import { runBrowser } from './run-browser.ts'

/** How a page is printed where the face is no browser itself. */
interface PrintOptions {
  readonly machine: PrintingMachine
  readonly clock: Clock
  /** Chromium's own sandbox refuses to run as root; only then it is left out. */
  readonly isRoot: boolean
}

/** Longer than this no page takes. */
const WITHIN_MS = 90_000

/** Prints a self-contained page as PDF with a Chromium of this machine, or says what is missing. */
export function printWithChromium(options: PrintOptions): (html: string) => Promise<Result<Uint8Array>> {
  return async html => {
    const browser = findChromium(options.machine)
    if (browser.kind !== 'found') return failed(failure('not-found', missingWords(browser)))
    let folder: string
    try {
      folder = await mkdtemp(join(tmpdir(), 'lockkeeper-print-'))
    } catch (reason) {
      return failed(
        failure(
          'internal',
          `The PDF was not printed: no folder could be made in ${tmpdir()}. Free space there, or make it writable.`,
          {
            detail: wordsOf(reason),
          },
        ),
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
      failure('internal', `The PDF was not printed: the page could not be written to ${folder}. Free space there.`, {
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
      failure(
        'not-found',
        `The PDF was not printed: ${browser} could not be started. Name another browser in ${CHROMIUM_VARIABLE}, or export HTML.`,
        {
          detail: ended.why,
        },
      ),
    )
  }
  if (ended.kind === 'too-long') {
    return failed(
      failure(
        'timed-out',
        `The PDF was not printed: ${browser} was not done after ${WITHIN_MS / 1000} s and was stopped. Try again, or export HTML and print it from a browser.`,
      ),
    )
  }
  const printed = await readFile(pdf).catch(() => null)
  if (printed === null || !isPdf(printed)) {
    return failed(
      failure(
        'server-fault',
        `The PDF was not printed: ${browser} ended without writing one (exit code ${ended.code ?? 'none'}). Export HTML and print it from a browser.`,
        {
          detail: ended.said,
          retryable: false,
        },
      ),
    )
  }
  return ok(new Uint8Array(printed))
}

/**
 * A profile of its own, so that the operator's browser and its extensions are not touched; no name is resolved and no proxy asked, so that
 * nothing could leave the machine even if a page wanted it to.
 */
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

function missingWords(browser: Exclude<FoundChromium, { kind: 'found' }>): string {
  const way = 'HTML needs none: export that, and print it from any browser.'
  if (browser.kind === 'named-wrongly') {
    return `The PDF was not printed: ${CHROMIUM_VARIABLE} names ${browser.path}, which is no program here. Name a Chromium, Chrome or Edge. ${way}`
  }
  return `The PDF was not printed: no browser that can print was found on this machine. Looked for ${browser.lookedFor.join(', ')}; install one, or name it in ${CHROMIUM_VARIABLE}. ${way}`
}

function isPdf(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, 5)) === '%PDF-'
}

function wordsOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}
