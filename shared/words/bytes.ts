const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** `512 MiB`, `1.5 GiB`. */
export function bytes(amount: number): string {
  const power = amount < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(amount) / 10))
  const value = amount / 1024 ** power
  return `${value >= 10 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)} ${UNITS[power] ?? 'B'}`
}
