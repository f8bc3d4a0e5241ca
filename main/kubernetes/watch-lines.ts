/** Splits the body of a watch into its JSON lines; lines that arrived together come together, so that changes can be told in batches. */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<readonly unknown[]> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    const parsed = lines.filter(line => line.trim() !== '').map(line => JSON.parse(line) as unknown)
    if (parsed.length > 0) yield parsed
  }
}
