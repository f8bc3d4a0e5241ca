/** The place of the next node whose run is not started, after the one at hand and then from the beginning; null when all are. */
export function nextNode(nodes: readonly string[], at: number, started: ReadonlySet<string>): number | null {
  const order = [...nodes.keys()].map(step => (at + 1 + step) % nodes.length)
  return order.find(place => !started.has(nodes[place] ?? '')) ?? null
}
