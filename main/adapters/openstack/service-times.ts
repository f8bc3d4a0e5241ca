/** An OpenStack time (UTC without a zone, with or without T and fractions) as an ISO string; null if absent. */
export function isoTime(text: string | null | undefined): string | null {
  if (text === null || text === undefined || text === '') return null
  const zoned = /(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text.replace(' ', 'T')}Z`
  const at = Date.parse(zoned)
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}
