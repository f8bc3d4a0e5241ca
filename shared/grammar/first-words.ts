/** Characters that move the cursor, change the writing direction or are invisible: foreign text must not control a screen. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]+/gu

/** The beginning of a foreign text, in one printable line; may be empty. */
export function firstWords(text: string, mostCharacters = 80): string {
  const line = text
    .slice(0, mostCharacters * 8)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(UNPRINTABLE, '')
    .trim()
  return line.length > mostCharacters ? `${line.slice(0, mostCharacters).trimEnd()}…` : line
}

/** A space and a UUID in parentheses, which follow a name. */
const ID_AFTER_NAME = / \([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\)/g

/** The same without ids after names: the name says it in a sentence. */
export function withoutIds(text: string): string {
  return text.replaceAll(ID_AFTER_NAME, '')
}
