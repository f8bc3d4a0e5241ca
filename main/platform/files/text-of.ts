/**
 * The text of a file's bytes as its byte order mark says, without the mark; UTF-8 where it has none. Windows PowerShell's `>` writes UTF-16,
 * and the readers of Go's and Python's YAML take it.
 */
export function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  // A TextDecoder takes the mark away.
  return new TextDecoder(encoding).decode(bytes)
}
