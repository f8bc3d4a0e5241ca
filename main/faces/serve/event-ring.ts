/** An event as sent, with its number. */
interface NumberedFrame {
  readonly n: number
  readonly text: string
}

/** The last events, so that a tab gets exactly what it missed while disconnected. */
interface EventRing {
  add(event: string, payload: unknown): NumberedFrame
  readonly last: number
  /** All events after a number; null if some are no longer stored, or the number is unknown. */
  after(n: number): readonly NumberedFrame[] | null
}

/** Limited in events and characters. */
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
      // Removed in blocks, not one by one.
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
