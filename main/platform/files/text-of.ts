/** Decodes a file by its byte order mark, which is removed; UTF-8 without one. Windows PowerShell's `>` writes UTF-16, and the YAML readers of Go and Python accept it. */
export function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}
