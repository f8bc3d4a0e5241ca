/** At most `limit` calls at a time; results are in the order of the input. */
export async function mapLimited<T, U>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<U>,
): Promise<readonly U[]> {
  const results: U[] = []
  const waiting = items.entries()
  const worker = async () => {
    for (const [at, item] of waiting) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  return results
}
