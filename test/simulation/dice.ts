/** Chance of one simulated run: everything that is not decided by code is decided by these. */
export interface Dice {
  /** In [0, 1). */
  random(): number
  /** A whole number in [0, below). */
  below(below: number): number
  /** A whole number in [from, to]. */
  between(from: number, to: number): number
  chance(probability: number): boolean
  pick<T>(of: readonly [T, ...T[]]): T
  /** Separate dice for one purpose, so that drawing more of them changes nothing elsewhere. */
  of(purpose: string): Dice
}

/** The dice of a seed (sfc32, seeded through splitmix32). */
export function createDice(seed: number | string): Dice {
  const key = String(seed)
  let mixed = 0x9e3779b9
  for (let at = 0; at < key.length; at += 1) mixed = Math.imul(mixed ^ key.charCodeAt(at), 0x85ebca6b) >>> 0
  const split = (): number => {
    mixed = (mixed + 0x9e3779b9) | 0
    let z = mixed ^ (mixed >>> 16)
    z = Math.imul(z, 0x21f0aaad)
    z ^= z >>> 15
    z = Math.imul(z, 0x735a2d97)
    return (z ^ (z >>> 15)) >>> 0
  }
  let [a, b, c, d] = [split(), split(), split(), 1]
  const next = (): number => {
    const t = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + t
    c |= 0
    return (t >>> 0) / 4_294_967_296
  }
  for (let warm = 0; warm < 12; warm += 1) next()
  const dice: Dice = {
    random: next,
    below: limit => Math.floor(next() * limit),
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: probability => next() < probability,
    pick: of => of[Math.floor(next() * of.length)] ?? of[0],
    of: purpose => createDice(`${key}/${purpose}`),
  }
  return dice
}
