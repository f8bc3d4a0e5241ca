import { afterEach, expect, test } from 'vitest'
import { pdfPrinter } from '../../../../main/faces/electron/print-pdf.ts'
import { must } from '../../../../shared/domain/must.ts'
import { BrowserWindow, type StandInSession, session } from '../../../electron-stand-in/electron.ts'

afterEach(() => {
  BrowserWindow.onOpen = null
  session.partitions.clear()
})

/** The window that printed. */
function printingWindow(): BrowserWindow {
  return must(BrowserWindow.opened.at(-1), 'a window was opened')
}

function printingSession(): StandInSession {
  return must(session.partitions.get('print'), 'pages are printed in a separate session')
}

async function answerOf(url: string): Promise<Response> {
  return must(printingSession().serving.get('app'), 'the session serves app://')(new Request(url))
}

test('a page is printed in a hidden, sandboxed window without scripts, which is gone afterwards', async () => {
  const printed = await pdfPrinter()('<p>report')
  expect(printed.ok && new TextDecoder().decode(printed.value)).toMatch(/^%PDF-1\.7 of app:\/\/lockkeeper\/print\//)
  const { options } = printingWindow()
  expect(options.show).toBe(false)
  expect(options.webPreferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webviewTag: false,
    javascript: false,
    session: printingSession(),
  })
  expect(options.webPreferences).not.toHaveProperty('preload')
  expect(printingWindow().isDestroyed()).toBe(true)
})

test('as A4, with the page’s own margins and footer, its colours, tags and an outline', async () => {
  await pdfPrinter()('<p>report')
  expect(printingWindow().webContents.printed).toEqual([
    {
      pageSize: 'A4',
      preferCSSPageSize: true,
      printBackground: true,
      generateTaggedPDF: true,
      generateDocumentOutline: true,
    },
  ])
})

test('the page is served to that window alone, and only while it is printed', async () => {
  let served = ''
  BrowserWindow.onOpen = window => {
    window.webContents.pdf = async () => {
      served = await (await answerOf(window.webContents.mainFrame.url)).text()
      return Buffer.from('%PDF-')
    }
  }
  await pdfPrinter()('<p>report')
  expect(served).toBe('<p>report')
  expect((await answerOf(printingWindow().webContents.mainFrame.url)).status).toBe(404)
})

test('nothing but the page is let through, no permission is granted', async () => {
  await pdfPrinter()('<p>report')
  const cancelled = (url: string) => {
    let answer: boolean | null = null
    printingSession().beforeRequest?.({ url }, ({ cancel }) => {
      answer = cancel
    })
    return answer
  }
  expect(cancelled('https://example.org/x.png')).toBe(true)
  expect(cancelled('file:///etc/passwd')).toBe(true)
  expect(cancelled('app://lockkeeper/print/1.html')).toBe(false)
  expect(printingSession().onCheck?.()).toBe(false)
})

test('two pages are printed one after the other by the same printer', async () => {
  const print = pdfPrinter()
  await print('<p>one')
  const second = await print('<p>two')
  expect(second.ok).toBe(true)
})

test('a window that cannot print is closed, and the other way is named', async () => {
  BrowserWindow.onOpen = window => {
    window.webContents.pdf = async () => Promise.reject(new Error('Failed to generate PDF'))
  }
  await expect(pdfPrinter()('<p>report')).resolves.toMatchObject({
    ok: false,
    failure: {
      code: 'internal',
      message: expect.stringContaining('Export HTML and print it from a browser.'),
      detail: 'Failed to generate PDF',
    },
  })
  expect(printingWindow().isDestroyed()).toBe(true)
})

test('a window that is not done in time is closed', async () => {
  BrowserWindow.onOpen = window => {
    window.webContents.pdf = () => new Promise(() => {})
  }
  await expect(pdfPrinter(30)('<p>report')).resolves.toMatchObject({
    ok: false,
    failure: { code: 'timed-out', retryable: true },
  })
  expect(printingWindow().isDestroyed()).toBe(true)
})
