import { BrowserWindow, type Session, session } from 'electron'
import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Face } from '../../api/face.ts'
import { denyPermissions, isOurPage, printPreferences, SCHEME } from './security.ts'

/** In memory, because the name does not begin with `persist:`. */
const PARTITION = 'print'
const WITHIN_MS = 90_000
const ANOTHER_WAY = 'Export HTML and print it from a browser.'

/** Prints pages as PDF in a hidden window with a separate session, which loads nothing but the page and runs no scripts. The pages never touch a disk. */
export function pdfPrinter(withinMs = WITHIN_MS): NonNullable<Face['printPdf']> {
  const pages = new Map<string, string>()
  let printing: Session | null = null
  let last = 0
  return async html => {
    printing ??= printingSession(pages)
    last += 1
    const url = `${SCHEME}://lockkeeper/print/${last}.html`
    pages.set(url, html)
    const window = new BrowserWindow({ show: false, webPreferences: printPreferences(printing) })
    try {
      return await within(withinMs, printed(window, url))
    } catch (reason) {
      const detail = reason instanceof Error ? reason.message : String(reason)
      return failed(refusal('internal', because('PdfNotPrintedByDesktop'), { detail }))
    } finally {
      pages.delete(url)
      if (!window.isDestroyed()) window.destroy()
    }
  }
}

async function printed(window: BrowserWindow, url: string): Promise<Result<Uint8Array>> {
  await window.loadURL(url)
  const pdf = await window.webContents.printToPDF({
    pageSize: 'A4',
    // Uses the page's own size, margins and footer (@page). Backgrounds are printed, because they distinguish stages.
    preferCSSPageSize: true,
    printBackground: true,
    generateTaggedPDF: true,
    generateDocumentOutline: true,
  })
  return ok(new Uint8Array(pdf))
}

/** A session that serves only the pages to print. */
function printingSession(pages: ReadonlyMap<string, string>): Session {
  const own = session.fromPartition(PARTITION)
  denyPermissions(own)
  own.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !isOurPage(details.url) }))
  own.protocol.handle(SCHEME, request => {
    const html = pages.get(request.url)
    if (html === undefined) return new Response('Not found', { status: 404, headers: { 'content-type': 'text/plain' } })
    return new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } })
  })
  return own
}

async function within(ms: number, work: Promise<Result<Uint8Array>>): Promise<Result<Uint8Array>> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<Result<Uint8Array>>(resolve => {
    timer = setTimeout(() => {
      const words = `The desktop app did not print the PDF within ${ms / 1000} s. Try again. ${ANOTHER_WAY}`
      resolve(failed(failure('timed-out', words)))
    }, ms)
  })
  // The work ends with its window; nobody needs its failure any more.
  work.catch(() => {})
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
