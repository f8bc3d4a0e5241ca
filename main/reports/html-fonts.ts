import words from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?inline'
import mono from '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2?inline'

/** The type of the product within the page of a report, so that it looks the same offline, elsewhere and on paper. Other scripts than Latin use the reader's own fonts. */
export const FONT_FACES = [
  face('Inter Variable', '100 900', words),
  face('JetBrains Mono Variable', '100 800', mono),
].join('\n')

function face(family: string, weights: string, address: string): string {
  return `@font-face { font-family: "${family}"; font-weight: ${weights}; src: url("${address}") format("woff2"); }`
}
