import type { TextsOf } from '../steps/coded.ts'

/** `browser`: the path of the program. */
type OfBrowser = { readonly browser: string }

/** `variable`: the environment variable that names the browser. */
type Named = { readonly variable: string }

type OfFolder = { readonly folder: string }

/** Texts of pages that a browser of this machine prints as PDF. */
export const PRINT_REASONS = {
  PdfBrowserEndedWithout: ({ browser, exitCode }: OfBrowser & { readonly exitCode: number | null }) =>
    notPrinted(
      `${browser} ended without writing one (exit code ${exitCode ?? 'none'}). Export HTML and print it from a browser.`,
    ),
  PdfBrowserNamedWrongly: ({ browser, variable }: OfBrowser & Named) =>
    notPrinted(
      `${variable} names ${browser}, which is no program here. Name a Chromium, Chrome or Edge. ${HTML_INSTEAD}`,
    ),
  PdfBrowserNotFound: ({ lookedFor, variable }: Named & { readonly lookedFor: readonly string[] }) =>
    notPrinted(
      `no browser that can print was found on this machine. Looked for ${lookedFor.join(', ')}; install one, or name it in ${variable}. ${HTML_INSTEAD}`,
    ),
  PdfBrowserNotStarted: ({ browser, variable }: OfBrowser & Named) =>
    notPrinted(`${browser} could not be started. Name another browser in ${variable}, or export HTML.`),
  PdfBrowserTooLong: ({ browser, seconds }: OfBrowser & { readonly seconds: number }) =>
    notPrinted(
      `${browser} was not done after ${seconds} s and was stopped. Try again, or export HTML and print it from a browser.`,
    ),
  PdfFolderNotMade: ({ folder }: OfFolder) =>
    notPrinted(`no folder could be made in ${folder}. Free space there, or make it writable.`),
  PdfPageNotWritten: ({ folder }: OfFolder) =>
    notPrinted(`the page could not be written to ${folder}. Free space there.`),
} satisfies TextsOf<string>

const HTML_INSTEAD = 'HTML needs none: export that, and print it from any browser.'

function notPrinted(why: string): string {
  return `The PDF was not printed: ${why}`
}
