/** Makes work that many may ask for at once and that is done once for all of them; asked again later, it is done again. */
export function createSingleFlight<T>(work: () => Promise<T>): () => Promise<T> {
  let flight: Promise<T> | null = null
  return () => {
    flight ??= work().finally(() => {
      flight = null
    })
    return flight
  }
}
