const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** `512 MiB`, `1.5 GiB`. */
export function bytes(amount: number): string {
  const power = amount < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(amount) / 10))
  const value = amount / 1024 ** power
  return `${value >= 100 ? Math.round(value) : Math.round(value * 10) / 10} ${UNITS[power] ?? 'B'}`
}

/** The same for memory, which Nova and Placement count in MiB. */
export function memoryWords(mib: number): string {
  return bytes(mib * 1024 ** 2)
}
