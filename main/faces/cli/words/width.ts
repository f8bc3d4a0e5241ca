/** Columns of a text without its colours; counts every character as one column (names here have no CJK). */
export function widthOf(text: string): number {
  return [...text.replace(/\u001b\[[0-9;]*m/g, '')].length
}

/** Shortens a text without colours to this number of columns, with the ellipsis at its end. */
export function shorten(text: string, columns: number, ellipsis: string): string {
  const characters = [...text]
  if (characters.length <= columns) return text
  return characters.slice(0, Math.max(0, columns - ellipsis.length)).join('') + ellipsis.slice(0, columns)
}

/** What is never broken over lines: a word, or a command in backquotes, which could not be copied otherwise. */
const UNBROKEN = /(?:`lockkeeper [^`]*`|\S)+/g

/** Breaks a text without colours at spaces into lines of this number of columns; longer words are cut, commands are not. Null means one line of any length. */
export function wrap(text: string, columns: number | null): readonly string[] {
  const words = text.match(UNBROKEN) ?? []
  if (columns === null || words.length === 0) return [words.join(' ')]
  const lines: string[] = []
  let line = ''
  for (const word of words.flatMap(whole => cut(whole, columns))) {
    if (line === '') line = word
    else if (widthOf(line) + 1 + widthOf(word) <= columns) line = `${line} ${word}`
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line]
}

/** Wraps behind a prefix; further lines are indented by its width. */
export function hang(prefix: string, text: string, columns: number | null): readonly string[] {
  const indent = widthOf(prefix)
  return wrap(text, columns === null ? null : Math.max(20, columns - indent)).map(
    (line, index) => (index === 0 ? prefix : ' '.repeat(indent)) + line,
  )
}

function cut(word: string, columns: number): readonly string[] {
  const characters = [...word]
  if (characters.length > columns && word.includes(' ')) return [word]
  const parts: string[] = []
  for (let at = 0; at < characters.length; at += columns) parts.push(characters.slice(at, at + columns).join(''))
  return parts
}
