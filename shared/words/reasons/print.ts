import type { TextsOf } from '../steps/coded.ts'

type OfBrowser = { readonly browser: string }

/** `variable`: the environment variable that names the browser. */
type Named = { readonly variable: string }

type OfFolder = { readonly folder: string }

/** Failures of printing a page as PDF with a browser of this machine. */
export const PRINT_REASONS = {
  PdfBrowserEndedWithout: ({ browser, exitCode }: OfBrowser & { readonly exitCode: number | null }) =>
    notPrinted(
      `${browser} ended without writing one (exit code ${exitCode ?? 'none'}). Export HTML and print it from a browser.`,
    ),
  PdfBrowserNamedWrongly: ({ browser, variable }: OfBrowser & Named) =>
    notPrinted(
      `${variable} names ${browser}, which is not a program on this machine. Name a Chromium, Chrome or Edge. ${HTML_INSTEAD}`,
    ),
  PdfBrowserNotFound: ({ lookedFor, variable }: Named & { readonly lookedFor: readonly string[] }) =>
    notPrinted(
      `no suitable browser exists on this machine (${lookedFor.join(', ')}). Install one, or name it in ${variable}. ${HTML_INSTEAD}`,
    ),
  PdfBrowserNotStarted: ({ browser, variable }: OfBrowser & Named) =>
    notPrinted(`${browser} could not be started. Name another browser in ${variable}, or export HTML.`),
  PdfBrowserTooLong: ({ browser, seconds }: OfBrowser & { readonly seconds: number }) =>
    notPrinted(
      `${browser} did not finish within ${seconds} s and was stopped. Try again, or export HTML and print it from a browser.`,
    ),
  PdfFolderNotMade: ({ folder }: OfFolder) =>
    notPrinted(`no folder could be created in ${folder}. Free space there, or make it writable.`),
  PdfPageNotWritten: ({ folder }: OfFolder) =>
    notPrinted(`the page could not be written to ${folder}. Free space there.`),
} satisfies TextsOf<string>

const HTML_INSTEAD = 'Or export HTML, and print it from any browser.'

function notPrinted(why: string): string {
  return `The PDF was not printed: ${why}`
}
