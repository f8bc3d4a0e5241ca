/** Characters that move the cursor, turn the direction of writing or cannot be seen: an answer's text must not act on a screen. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]+/gu

/** The beginning of a text that came from outside, in one line that can be shown; empty when there is nothing to show. */
export function firstWords(text: string, mostCharacters = 80): string {
  const line = text
    // More would be looked at for nothing.
    .slice(0, mostCharacters * 8)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(UNPRINTABLE, '')
    .trim()
  return line.length > mostCharacters ? `${line.slice(0, mostCharacters).trimEnd()}…` : line
}
