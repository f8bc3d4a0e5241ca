/** An event as it goes over the wire, with the number by which a tab says how far it got. */
interface NumberedFrame {
  readonly n: number
  readonly text: string
}

/** The last events, so that a tab whose connection broke gets exactly those it missed. */
interface EventRing {
  /** Numbers an event and keeps it. */
  add(event: string, payload: unknown): NumberedFrame
  /** The number of the newest event. */
  readonly last: number
  /** Everything after a number; null when some of it is no longer kept, or the number is not one of ours. */
  after(n: number): readonly NumberedFrame[] | null
}

/** A ring bounded in events and in characters: as much as a tab can miss in a short while, never more. */
export function createEventRing(mostEvents = 4000, mostCharacters = 16_000_000): EventRing {
  let frames: NumberedFrame[] = []
  let characters = 0
  let last = 0
  return {
    get last() {
      return last
    },
    add: (event, payload) => {
      last += 1
      const frame = { n: last, text: JSON.stringify({ n: last, event, payload }) }
      frames.push(frame)
      characters += frame.text.length
      let drop = 0
      while (frames.length - drop > mostEvents || (characters > mostCharacters && drop < frames.length)) {
        characters -= frames[drop]?.text.length ?? 0
        drop += 1
      }
      // Taken off in one piece now and then, not one by one.
      if (drop > 0) frames = frames.slice(drop)
      return frame
    },
    after: n => {
      if (n > last) return null
      if (n === last) return []
      const first = frames[0]
      return first !== undefined && n >= first.n - 1 ? frames.filter(frame => frame.n > n) : null
    },
  }
}
