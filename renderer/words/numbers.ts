/** Made once: making one for every number costs more than all the rest of a busy screen. */
const NUMBER = new Intl.NumberFormat('en')

/** `1 instance`, `12 instances`. */
export function counted(amount: number, noun: string, plural = `${noun}s`): string {
  return `${NUMBER.format(amount)} ${amount === 1 ? noun : plural}`
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join('')
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
